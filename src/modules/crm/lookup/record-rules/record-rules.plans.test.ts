// Query plans as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { newId, nilUuid } from '#platform/ids'
import { type Loader, loadRows, startPlanApp, startQueryPlans } from '#testing'
import { listLeadRows } from '../../people/leads/list-leads.queries.ts'
import { listMatchingIds } from './matching-records.queries.ts'
import { parseRecordRule } from './parse-record-rule.service.ts'
import { listRecordValues } from './record-values.service.ts'

const { owner, database, tenant, services } = await startPlanApp()
const acme = await tenant()
await loadRows(owner, async (client) => {
  await addMany(client, acme.id, 12_000)
  await addMany(client, newId(), 4_000)
})
const plans = await startQueryPlans({ owner, database })
const context = { now: new Date('2026-03-10T00:00:00Z'), timezone: 'UTC', me: null }

/** Leads with two page views each; ten of them have a meeting. The search for a title finds more than its limit of 10,000. */
async function addMany(client: Loader, tenantId: string, count: number): Promise<void> {
  await client.query(
    `insert into crm.leads (tenant_id, id, last_name, title, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Moss', 'CEO ' || n, 'web', ' moss ceo', '2026-01-01' from generate_series(1, $2::integer) n`,
    [tenantId, count],
  )
  await client.query(
    `insert into crm.search_texts (tenant_id, record_type, record_id, search_text, priority_rank, created_at)
     select tenant_id, 'lead', id, search_text, priority_rank, created_at from crm.leads where tenant_id = $1`,
    [tenantId],
  )
  await client.query(
    `insert into crm.activities (tenant_id, id, lead_id, type, direction, occurred_at, actor_type, source)
     select $1, gen_random_uuid(), lead.id, kind.type, 'in', '2026-03-01'::timestamptz - n * interval '1 hour', 'user', 'manual'
     from (select id, row_number() over () as n from crm.leads where tenant_id = $1) as lead
     cross join unnest(array['page_viewed', 'page_viewed', 'meeting']) as kind (type)
     where kind.type <> 'meeting' or n <= 10`,
    [tenantId],
  )
}

const met = { fact: 'activity', types: ['meeting'], within_days: 30 }
const title = { field: 'title', op: 'contains', value: 'ceo' }

const planOf = (input: object) =>
  plans.planOf(systemActor(acme.id), async (tx) => {
    const rule = await parseRecordRule(tx, 'lead', input, services)
    await listMatchingIds(tx, rule, context, { after: nilUuid, limit: 500 })
  })

for (const fact of [met, { ...met, min: 2, max: 5 }, { ...met, within_days: undefined }])
  test(`the selective fact ${JSON.stringify(fact)} drives the plan`, async () => {
    const plan = await planOf({ all: [title, { all: [JSON.parse(JSON.stringify(fact))] }] })

    assert.match(plan, /activities_by_type.*\n.*Index Cond: .*tenant_id.*type = 'meeting'/)
    assert.match(plan, /leads_pkey.*\n.*Index Cond: .*id = (ANY|activity.lead_id)/)
    assert.doesNotMatch(plan, /Seq Scan on (leads|activities)/)
  })

test('values of a field are read from the newest 5,000 records by the index', async () => {
  const plan = await plans.planOf(systemActor(acme.id), async (tx) => {
    await listRecordValues(tx, 'lead', { field: 'title', search: 'ceo' })
  })

  assert.match(plan, /Limit .*rows=5000\b/)
  assert.match(plan, /Index (Only )?Scan Backward using leads_pkey/)
  assert.doesNotMatch(plan, /Seq Scan on leads/)
})

test('a fact that is negated or one of several alternatives is checked per record', async () => {
  for (const rule of [{ not: met }, { any: [met, title] }, { ...met, min: 0, max: 1 }]) {
    const plan = await planOf(rule)

    assert.match(plan, /Index Scan using leads_pkey/)
    assert.doesNotMatch(plan, /id = ANY|Seq Scan on activities/)
  }
})

test('a list reads the leads of a selective fact by id', async () => {
  const plan = await plans.planOf(systemActor(acme.id), async (tx) => {
    const { rule } = await parseRecordRule(tx, 'lead', met, services)
    const filter = { rule: { rule, context, json: JSON.stringify(met) } }
    const { items } = await listLeadRows(tx, filter, { limit: 50, offset: 0, count: 'none', sort: 'priority' })
    assert.equal(items.length, 10)
  })

  assert.match(plan, /activities_by_type/)
  assert.match(plan, /leads_pkey.*\n.*Index Cond: .*id = (ANY|activity.lead_id)/)
})
