// Analytics queries read rollups and deltas: their cost depends on the number of days and changes, not of leads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { startPlanApp, startQueryPlans } from '#testing'
import { startAnalyticsApp } from './analytics.fixture.ts'
import { readAnalytics, readSourceSums } from './analytics.queries.ts'
import { assertExactFigures } from './direct-counts.fixture.ts'
import { percentileOf } from './histogram.rules.ts'
import { readKpis } from './kpis.queries.ts'
import { listTenantsWithDeltas } from './rollups.queries.ts'

const { owner, database, db, tenant, winDeal, fold } = await startAnalyticsApp(startPlanApp())
const acme = await tenant()
const owner_id = acme.member.userId
await insertLeads(acme.id, 6_000)
const other = await tenant()
await insertLeads(other.id, 2_000)
await owner.query(
  `insert into crm.opportunities
   select (jsonb_populate_record(deal, jsonb_build_object('id', gen_random_uuid(), 'lead_id', lead.id))).*
   from crm.opportunities deal, crm.leads lead where deal.id = $1 and lead.tenant_id = deal.tenant_id limit 1000`,
  [await winDeal(acme, await firstLeadId(), 100)],
)
await fold()
await owner.query(
  `insert into crm.lead_deltas (tenant_id, day, owner_id, source)
   select $1, '2026-03-01', gen_random_uuid(), 'web' from generate_series(1, 5000)`,
  [other.id],
)
await owner.query('vacuum analyze crm.leads, crm.lead_deltas, crm.lead_durations, crm.lead_rollups, crm.opportunities')
await acme.sql('update crm.leads set score = 9 where id = $1', [await firstLeadId()])
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acme.id), work)
const inAcme = <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(acme.id), work)

const now = new Date('2026-04-01T12:00:00Z')
const range = { from: '2026-03-01', to: '2026-03-31' }
const kpiPeriods = { current: range, previous: { from: '2026-01-29', to: '2026-02-28' }, now }
const filter = { range, now }

test('KPIs and analytics read rollups, deltas and durations by index, and of the leads only overdue ones', async () => {
  for (const work of [
    (tx: TenantTx) => readKpis(tx, kpiPeriods),
    (tx: TenantTx) => readKpis(tx, { ...kpiPeriods, owner_id }),
    (tx: TenantTx) => readAnalytics(tx, filter, 'week'),
    (tx: TenantTx) => readAnalytics(tx, { ...filter, owner_id, source: 'web' }, 'week'),
  ]) {
    const plan = await planOf(work)

    assert.doesNotMatch(plan, /Seq Scan on (leads|lead_durations|lead_deltas)|leads_by_day/)
    assert.match(plan, /leads_waiting.*(\n.*)?\n\s+Index Cond: .*sla_due_at < /)
    assert.match(plan, /lead_deltas_pkey.*(\n.*)?\n\s+Index Cond: .*tenant_id = /)
    assert.match(
      plan,
      /Index Only Scan using lead_durations_pkey.*\n\s+Index Cond: .*metric = .*bucket = .*day >= .*day <= /,
    )
  }
})

test('rollups are read by index', async () => {
  const sources = await planOf((tx) => readSourceSums(tx, { ...filter, owner_id }))
  const all = await planOf((tx) => readAnalytics(tx, filter, 'week'))
  const tenants = await plans.systemPlanOf(listTenantsWithDeltas)

  assert.match(sources, /lead_rollups_pkey.*(\n.*)?\n\s+Index Cond: .*cut = .*owner_id = .*day >= .*day <= /)
  assert.match(all, /lead_rollups_by_source.*(\n.*)?\n\s+Index Cond: .*cut = .*source = .*day >= .*day <= /)
  assert.match(tenants, /lead_deltas_pkey.*\n\s+Index Cond: .*tenant_id > /)
  for (const plan of [sources, all, tenants]) assert.doesNotMatch(plan, /Seq Scan on (leads|lead_rollups)/)
})

test('triggers find the durations and deals of a changed lead by index', async () => {
  const leadId = await firstLeadId()
  const plan = await planOf(async (tx) => {
    await tx.updateTable('crm.leads').set({ source: 'moved' }).where('id', '=', leadId).execute()
    await tx.updateTable('crm.leads').set({ source: 'web' }).where('id', '=', leadId).execute()
  })

  assert.match(plan, /lead_durations_pkey.*\n\s+Index Cond: .*metric = .*bucket = .*day = .*ms = .*lead_id = /)
  assert.match(plan, /opportunities_by_lead.*\n\s+Index Cond: .*lead_id = /)
  assert.doesNotMatch(plan, /Seq Scan on (lead_durations|opportunities|lead_deltas)/)
})

test('percentiles of many leads are exact and read one bucket', async () => {
  await inAcme((tx) => assertExactFigures(tx, filter))
  await inAcme((tx) => assertExactFigures(tx, { ...filter, owner_id, source: 'web' }))
  const { percentiles } = await inAcme((tx) => readAnalytics(tx, filter, 'week'))

  for (const { n, total, metric } of percentiles!) assert.ok(n < total / 4, `${n} of ${total} of ${metric} were read`)
})

test('percentiles of buckets with too many leads are estimated with an error of at most an eighth', async () => {
  const read = (maxExact?: number) => inAcme((tx) => readAnalytics(tx, filter, 'week', maxExact))
  const [exact, estimated] = [await read(), await read(20)]
  const kpis = await inAcme((tx) => readKpis(tx, kpiPeriods, 20))

  assert.deepEqual(estimated.sums, exact.sums)
  assert.deepEqual([kpis.percentiles![0]!.ms, estimated.percentiles![0]!.ms], [null, null])
  for (const [index, row] of estimated.percentiles!.entries()) {
    const ratio = percentileOf(row) / percentileOf(exact.percentiles![index]!)
    assert.ok(ratio > 0.88 && ratio < 1.13, `${row.metric} ${row.q} ${ratio}`)
  }
})

async function firstLeadId(): Promise<string> {
  const { rows } = await acme.sql('select id from crm.leads where tenant_id = $1 order by id limit 1', [acme.id])
  return rows[0].id
}

async function insertLeads(tenantId: string, count: number) {
  await owner.query(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, owner_id, created_on, created_at, first_responded_at, sla_due_at,
       assigned_at, mql_at)
     select $1, gen_random_uuid(), 'Lead', (array['web', 'fair', 'api'])[1 + n % 3], '', case when n % 4 = 0 and $3 then $4::uuid end,
       day, day, case when n % 5 > 0 then day + (n * 7919 % 100000) * interval '1 second' end, date '2027-01-01',
       day, case when n % 6 = 0 then day + (n * 7907 % 100000) * interval '1 second' end
     from generate_series(1, $2::integer) n, lateral (select date '2026-01-01' + n % 90 as day) as days`,
    [tenantId, count, tenantId === acme.id, owner_id],
  )
}
