// Analytics queries read rollups: their cost depends on the number of days, not of leads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { startQueryPlans } from '#testing'
import { startAnalyticsApp } from './analytics.fixture.ts'
import { readAnalytics, readSourceSums } from './analytics.queries.ts'
import { durationQuantilesFrom } from './funnel.rules.ts'
import { readKpis } from './kpis.queries.ts'
import { listTenantsWithDirtyDays } from './rollups.queries.ts'

const { owner, database, db, tenant, rebuild } = await startAnalyticsApp()
const acme = await tenant()
const owner_id = acme.member.userId
await insertLeads(acme.id, 20_000)
const other = await tenant()
await insertLeads(other.id, 5_000)
await rebuild()
await owner.query(
  `insert into crm.lead_rollup_dirty (tenant_id, id, day) select $1, gen_random_uuid(), '2026-03-01' from generate_series(1, 5000)`,
  [other.id],
)
await owner.query('vacuum analyze')
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acme.id), work)

const now = new Date('2026-04-01T12:00:00Z')
const range = { from: '2026-03-01', to: '2026-03-31' }
const kpiPeriods = { current: range, previous: { from: '2026-01-29', to: '2026-02-28' }, now }

test('KPIs read rollups, and of the leads only those in the bucket of the median', async () => {
  for (const periods of [kpiPeriods, { ...kpiPeriods, owner_id }]) {
    const plan = await planOf((tx) => readKpis(tx, periods))

    assert.doesNotMatch(plan, /Seq Scan on leads/)
    assert.match(plan, /leads_by_day.*(\n.*)?\n\s+Index Cond: .*created_on = .*response_ms >= .*response_ms < /)
    assert.match(plan, /leads_waiting.*(\n.*)?\n\s+Index Cond: .*sla_due_at < /)
    for (const [, condition] of plan.matchAll(/leads_by_day.*(?:\n.*)?\n\s+Index Cond: (.*)/g))
      assert.match(condition!, /created_on = /)
  }
})

test('dirty days and rollups are read by index', async () => {
  const filter = { range, now }
  const sources = await planOf((tx) => readSourceSums(tx, { ...filter, owner_id }))
  const all = await planOf((tx) => readAnalytics(tx, filter, 'week'))
  const tenants = await plans.systemPlanOf(listTenantsWithDirtyDays)

  assert.match(sources, /lead_rollups_pkey.*(\n.*)?\n\s+Index Cond: .*cut = .*owner_id = .*day >= .*day <= /)
  assert.match(all, /lead_rollups_by_source.*(\n.*)?\n\s+Index Cond: .*cut = .*source = .*day >= .*day <= /)
  assert.match(tenants, /lead_rollup_dirty_(pkey|by_day).*\n\s+Index Cond: .*tenant_id > /)
  for (const plan of [sources, all, tenants]) assert.doesNotMatch(plan, /Seq Scan on (leads|lead_rollups)/)
})

test('the median estimated from one bucket equals the exact median', async () => {
  const { median } = await inTenant(db, systemActor(acme.id), (tx) => readKpis(tx, kpiPeriods))
  const { rows } = await owner.query(
    `select percentile_cont(0.5) within group (order by response_ms) as ms, count(response_ms)::int as total
     from crm.leads where tenant_id = $1 and created_on between $2 and $3`,
    [acme.id, range.from, range.to],
  )

  assert.deepEqual([median?.ms, median?.total], [rows[0].ms, rows[0].total])
  assert.ok(median!.n < rows[0].total / 4, `${median!.n} of ${rows[0].total} were read`)
})

test('quantiles of many leads are estimated from histograms with an error of at most an eighth', async () => {
  const filter = { range, now }
  const read = (maxExact?: number) =>
    inTenant(db, systemActor(acme.id), (tx) => readAnalytics(tx, filter, 'week', maxExact))
  const [exact, many] = [await read(), await read(100)]
  const { median } = await inTenant(db, systemActor(acme.id), (tx) => readKpis(tx, kpiPeriods, 100))

  assert.deepEqual([exact.histograms, many.quantiles, median?.ms], [null, null, null])
  assert.deepEqual(many.sums, exact.sums)
  const [estimated, known] = [durationQuantilesFrom(many), durationQuantilesFrom(exact)]
  for (const q of ['median', 'p90'] as const) {
    const ratio = estimated.response[q]! / known.response[q]!
    assert.ok(ratio > 0.88 && ratio < 1.13, `${q} ${ratio}`)
  }
  assert.ok(median!.lower <= known.response.median! && known.response.median! < median!.upper)
  assert.deepEqual(estimated.mql, { median: null, p90: null })
})

test('leads of dirty days are read by one index condition, and overdue leads by their deadline', async () => {
  await owner.query(
    `insert into crm.lead_rollup_dirty (tenant_id, id, day)
     select $1, gen_random_uuid(), date '2026-01-01' + n from generate_series(0, 89) n`,
    [acme.id],
  )
  const filter = { range, now }

  for (const work of [
    (tx: TenantTx) => readKpis(tx, kpiPeriods),
    (tx: TenantTx) => readAnalytics(tx, filter, 'week'),
    (tx: TenantTx) => readSourceSums(tx, { ...filter, owner_id }),
  ]) {
    const plan = await planOf(work)

    assert.match(plan, /leads_by_day.*(\n.*)?\n\s+Index Cond: .*created_on = ANY/)
    assert.match(plan, /leads_waiting.*(\n.*)?\n\s+Index Cond: .*sla_due_at < /)
    assert.doesNotMatch(plan, /Seq Scan on leads|Cond: .*created_on = dirty|Filter: .*created_on = dirty/)
  }
})

async function insertLeads(tenantId: string, count: number) {
  await owner.query(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, owner_id, created_on, created_at, first_responded_at, sla_due_at)
     select $1, gen_random_uuid(), 'Lead', (array['web', 'fair', 'api'])[1 + n % 3], '', case when n % 4 = 0 and $3 then $4::uuid end,
       date '2026-01-01' + n % 90, date '2026-01-01' + n % 90, case when n % 5 > 0 then
         date '2026-01-01' + n % 90 + (n * 7919 % 100000) * interval '1 second' end, date '2027-01-01'
     from generate_series(1, $2::integer) n`,
    [tenantId, count, tenantId === acme.id, owner_id],
  )
}
