// Query plans as the application role, with the rows that were read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { findLeadIdByEmail } from '../lead-records/leads.queries.ts'
import { getLeadWithDuplicateCount } from '../leads/get-lead.queries.ts'
import { listDuplicateRows } from './duplicates.queries.ts'

const { owner, database } = await startPlanDb()
const acmeId = newId()
await loadRows(owner, addNamesakes)
const plans = await startQueryPlans({ owner, database }, { withRows: true })

const email_key = 'x@unknown.example'
const keys = { id: newId(), email_key, name_key: 'unknown', company_key: 'unknown' }

test('duplicates of a lead whose name, company and email address many records share read a fixed number of rows', async () => {
  const plan = await plans.planOf(systemActor(acmeId), (tx) => listDuplicateRows(tx, keys))

  assert.ok(mostRowsOf(plan) <= 51, plan)
  assert.match(plan, /leads_by_name_and_company/)
  assert.match(plan, /leads_by_email/)
  assert.match(plan, /contacts_by_name_and_account/)
})

test('a lead whose keys many records share is read with a fixed number of rows', async () => {
  const { rows } = await owner.query(
    `select id from crm.leads where tenant_id = $1 and name_key = 'unknown' and deleted_at is null limit 1`,
    [acmeId],
  )
  let count: number | undefined
  const plan = await plans.planOf(systemActor(acmeId), async (tx) => {
    count = (await getLeadWithDuplicateCount(tx, rows[0].id)).duplicate_count
  })

  assert.equal(count, 50)
  assert.ok(mostRowsOf(plan) <= 51, plan)
  assert.match(plan, /leads_by_name_and_company/)
  assert.match(plan, /leads_by_email/)
  assert.match(plan, /contacts_by_name_and_account/)
})

test('an email address that many leads share is found by reading one of them', async () => {
  const plan = await plans.planOf(systemActor(acmeId), (tx) => findLeadIdByEmail(tx, email_key))

  assert.equal(mostRowsOf(plan), 1, plan)
})

/** Most rows that a scan returned or removed by its filter, in all loops. */
function mostRowsOf(plan: string): number {
  const scanned = [...plan.matchAll(/Scan.*\(actual time=\S+ rows=(\d+) loops=(\d+)\)/g)]
  const removed = [...plan.matchAll(/Rows Removed by Filter: (\d+)/g)]
  assert.ok(scanned.length > 0, plan)
  return Math.max(
    ...scanned.map(([, rows, loops]) => Number(rows) * Number(loops)),
    ...removed.map(([, rows]) => Number(rows)),
  )
}

async function addNamesakes(client: Loader): Promise<void> {
  const accountId = newId()
  await client.query(
    `insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, $2, 'Unknown', 'unknown', '')`,
    [acmeId, accountId],
  )
  await client.query(
    `insert into crm.leads (tenant_id, id, last_name, name_key, company, company_key, email, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Unknown', 'unknown' || suffix, 'Unknown', 'unknown' || suffix, 'x@unknown.example' || suffix,
       'import', '', '2026-01-01'
     from generate_series(1, 6000) n cross join lateral (select case when n % 2 = 0 then '' else n::text end as suffix) as name`,
    [acmeId],
  )
  await client.query(
    `insert into crm.contacts (tenant_id, id, last_name, name_key, source, search_text, account_id)
     select $1, gen_random_uuid(), 'Unknown', 'unknown' || case when n % 2 = 0 then '' else n::text end, 'import', '', $2
     from generate_series(1, 6000) n`,
    [acmeId, accountId],
  )
}
