import pg from 'pg'
import { systemIn } from '#platform/access'
import { connect, type Db, disconnect, inTenant } from '#platform/db'
import { recountDays } from '../../src/modules/crm/analytics/rollups.service.ts'
import { defaultPipeline } from '../../src/modules/crm/opportunities/pipelines.service.ts'
import { emptyBigDatabase, noteFilled, openBigServer, type Size } from './database.ts'
import { dropIndexes } from './indexes.ts'
import * as records from './records.ts'

/** The workspaces that are compared. */
export const [large, small] = ['large', 'small']
const [peopleInLarge, peopleInOthers] = [20, 3]
const daysAtOnce = 30

/** Fills a database that is kept: a large workspace, one to compare it with, and many others around them. */
export async function fillBig(size: Size, { home, tell }: { home?: string; tell: (line: string) => void }) {
  const { server, database } = await openBigServer(home)
  await emptyBigDatabase(server, home)
  const owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  const db = connect(database.appUrl)

  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    const start = performance.now()
    await work()
    tell(`  ${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s  ${name}`)
  }

  await owner.query(records.preparation)
  await owner.query(
    `insert into workspace
     select gen_random_uuid(), $1, $2::integer, ${peopleInLarge} union all select gen_random_uuid(), $3, $4::integer, ${peopleInLarge}
     union all select gen_random_uuid(), 'other-' || n, $5::integer, ${peopleInOthers} from generate_series(1, $6::integer) n`,
    [large, size.leads, small, size.compared, size.each, size.others],
  )
  // The rows are what the product's own triggers and checks would have let through; marking every day would only cost time.
  await owner.query(`set session_replication_role = replica; select setseed(0.42)`)
  await step('workspaces and their people', async () => {
    for (const statement of [records.workspaces, records.people, records.sources]) await owner.query(statement)
  })
  const { rows } = await owner.query<{ id: string }>('select id from workspace')
  const ids = rows.map(({ id }) => id)
  await step('a pipeline for each', () => inEach(ids, (tenantId) => inTenant(db, systemIn(tenantId), defaultPipeline)))
  const definitions = await dropIndexes(owner, records.filledTables)
  await step('accounts', () => owner.query(records.accounts))
  await step('leads', () => owner.query(records.leads))
  await step('contacts of those converted', () => owner.query(records.contacts))
  await step('deals', () => owner.query(records.deals))
  await step('tags', () => owner.query(records.tags))
  await step('activities', () => owner.query(records.activities))
  await step(`${definitions.length} indexes`, async () => {
    for (const definition of definitions) await owner.query(definition)
  })
  await owner.query('set session_replication_role = origin')
  await step('statistics', () => owner.query('vacuum analyze'))
  await step('counts of every day', () => inEach(ids, (tenantId) => countAllDays(db, tenantId)))
  await owner.query('vacuum analyze crm.lead_rollups')
  await noteFilled(size, home)
  await owner.end()
  await disconnect(db)
  await server.stop()
}

/** A few at a time. */
async function inEach(ids: readonly string[], work: (id: string) => Promise<unknown>): Promise<void> {
  const waiting = [...ids]
  const worker = async () => {
    for (let id = waiting.shift(); id; id = waiting.shift()) await work(id)
  }
  await Promise.all([worker(), worker()])
}

/** The same counting the product does every minute of what has changed. */
async function countAllDays(db: Db, tenantId: string): Promise<void> {
  const days = await inTenant(db, systemIn(tenantId), (tx) =>
    tx.selectFrom('crm.leads').select('created_on').distinct().orderBy('created_on').execute(),
  )
  for (let done = 0; done < days.length; done += daysAtOnce) {
    const some = days.slice(done, done + daysAtOnce).map(({ created_on }) => created_on)
    await inTenant(db, systemIn(tenantId), (tx) => recountDays(tx, some))
  }
}
