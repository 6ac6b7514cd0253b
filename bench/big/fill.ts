import pg from 'pg'
import { systemActor } from '#platform/access'
import { mapConcurrently } from '#platform/concurrency'
import { connect, type Db, disconnect, inTenant } from '#platform/db'
import { ensureDefaultPipeline } from '../../src/modules/crm/deals/pipelines/pipelines.service.ts'
import { listCountedDays } from '../../src/modules/crm/work/analytics/rollups.queries.ts'
import { recountRollups } from '../../src/modules/crm/work/analytics/rollups.service.ts'
import { type DatabaseSize, recreateBigDatabase, saveFilledSize, startBigServer } from './database.ts'
import { dropIndexes } from './indexes.ts'
import * as records from './records.ts'

export const [largeSlug, smallSlug] = ['large', 'small'] as const
const [usersInLarge, usersInOthers] = [20, 3]
const daysPerBatch = 30

/** Fills the database with a large workspace, a small one for comparison, and many others. */
export async function fillBigDatabase(
  size: DatabaseSize,
  { home, report }: { home?: string; report: (line: string) => void },
) {
  const { server, database } = await startBigServer(home)
  await recreateBigDatabase(server, home)
  const owner = new pg.Client(database.ownerUrl)
  await owner.connect()
  const db = connect(database.appUrl)

  await owner.query(records.setup)
  await owner.query(
    `insert into workspace
     select gen_random_uuid(), $1, $2::integer, ${usersInLarge} union all select gen_random_uuid(), $3, $4::integer, ${usersInLarge}
     union all select gen_random_uuid(), 'other-' || n, $5::integer, ${usersInOthers} from generate_series(1, $6::integer) n`,
    [largeSlug, size.leads, smallSlug, size.compared, size.each, size.others],
  )
  await fillRecords({ owner, db, report })
  await saveFilledSize(size, home)
  await owner.end()
  await disconnect(db)
  await server.stop()
}

type FillOptions = { owner: pg.ClientBase; db: Db; report: (line: string) => void }

/** Fills the workspaces of the table `workspace`, which `records.setup` creates. */
export async function fillRecords({ owner, db, report }: FillOptions): Promise<void> {
  async function step(name: string, work: () => Promise<unknown>): Promise<void> {
    const start = performance.now()
    await work()
    report(`  ${((performance.now() - start) / 1_000).toFixed(1).padStart(6)} s  ${name}`)
  }

  // Disables triggers: the rows are valid, and counting every statement would only cost time.
  await owner.query(`set session_replication_role = replica; select setseed(0.42)`)
  await step('workspaces and users', async () => {
    for (const statement of [records.workspaces, records.users, records.sources]) await owner.query(statement)
  })
  const { rows } = await owner.query<{ id: string }>('select id from workspace')
  const ids = rows.map(({ id }) => id)
  await step('pipelines', () =>
    mapConcurrently(ids, 2, (tenantId) => inTenant(db, systemActor(tenantId), ensureDefaultPipeline)),
  )
  const definitions = await dropIndexes(owner, records.filledTables)
  await step('accounts', () => owner.query(records.accounts))
  await step('leads', () => owner.query(records.leads))
  await step('durations', () => owner.query(records.durations))
  await step('contacts', () => owner.query(records.contacts))
  await step('deals', () => owner.query(records.deals))
  await step('tags', () => owner.query(records.tags))
  await step('activities', () => owner.query(records.activities))
  await step('search texts', () => owner.query(records.searchTexts))
  await step(`${definitions.length} indexes`, async () => {
    for (const definition of definitions) await owner.query(definition)
  })
  await owner.query('set session_replication_role = origin')
  await step('statistics', () => owner.query('vacuum analyze'))
  await step('rollups', () => mapConcurrently(ids, 2, (tenantId) => buildAllRollups(db, tenantId)))
  await owner.query('vacuum analyze crm.lead_rollups, crm.lead_deltas')
}

async function buildAllRollups(db: Db, tenantId: string): Promise<void> {
  const days = await inTenant(db, systemActor(tenantId), listCountedDays)
  for (let done = 0; done < days.length; done += daysPerBatch) {
    const batch = days.slice(done, done + daysPerBatch)
    await inTenant(db, systemActor(tenantId), (tx) => recountRollups(tx, batch))
  }
}
