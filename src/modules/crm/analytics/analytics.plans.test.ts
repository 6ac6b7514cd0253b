// Questions are answered from counts: what they cost depends on days, not on leads.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemIn } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { startPlans } from '#testing'
import { startAnalyticsApp } from './analytics.fixture.ts'
import { readAnalytics, readSourceSums } from './analytics.queries.ts'
import { timesFrom } from './journey.rules.ts'
import { readKpis } from './kpis.queries.ts'
import { listMarkedTenants } from './rollups.queries.ts'

const { owner, database, db, tenant, rebuild } = await startAnalyticsApp()
const acme = await tenant()
const owner_id = acme.member.userId
await addMany(acme.id, 20_000)
const other = await tenant()
await addMany(other.id, 5_000)
await rebuild()
await owner.query(
  `insert into crm.lead_rollup_dirty (tenant_id, id, day) select $1, gen_random_uuid(), '2026-03-01' from generate_series(1, 5000)`,
  [other.id],
)
await owner.query('analyze')
const plans = await startPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemIn(acme.id), work)

const now = new Date('2026-04-01T12:00:00Z')
const span = { from: '2026-03-01', to: '2026-03-31' }
const question = { current: span, previous: { from: '2026-01-29', to: '2026-02-28' }, now }

test('figures of all leads read counts, and of the leads only those around the middle', async () => {
  for (const asked of [question, { ...question, owner_id }]) {
    const plan = await planOf((tx) => readKpis(tx, asked))

    assert.doesNotMatch(plan, /Seq Scan on leads/)
    assert.match(plan, /leads_by_day.*(\n.*)?\n\s+Index Cond: .*created_on = .*response_ms >= .*response_ms < /)
    assert.match(plan, /leads_waiting.*(\n.*)?\n\s+Index Cond: .*sla_due_at < /)
    for (const [, condition] of plan.matchAll(/leads_by_day.*(?:\n.*)?\n\s+Index Cond: (.*)/g))
      assert.match(condition!, /created_on = /)
  }
})

test('marks and counts are found by their indexes', async () => {
  const asked = { span, now }
  const sources = await planOf((tx) => readSourceSums(tx, { ...asked, owner_id }))
  const all = await planOf((tx) => readAnalytics(tx, asked, 'week'))
  const tenants = await plans.systemPlanOf(listMarkedTenants)

  assert.match(sources, /lead_rollups_pkey.*(\n.*)?\n\s+Index Cond: .*cut = .*owner_id = .*day >= .*day <= /)
  assert.match(all, /lead_rollups_by_source.*(\n.*)?\n\s+Index Cond: .*cut = .*source = .*day >= .*day <= /)
  assert.match(tenants, /lead_rollup_dirty_(pkey|by_day).*\n\s+Index Cond: .*tenant_id > /)
  for (const plan of [sources, all, tenants]) assert.doesNotMatch(plan, /Seq Scan on (leads|lead_rollups)/)
})

test('a middle told from one step is the one all times tell', async () => {
  const { middle } = await inTenant(db, systemIn(acme.id), (tx) => readKpis(tx, question))
  const { rows } = await owner.query(
    `select percentile_cont(0.5) within group (order by response_ms) as ms, count(response_ms)::int as total
     from crm.leads where tenant_id = $1 and created_on between $2 and $3`,
    [acme.id, span.from, span.to],
  )

  assert.deepEqual([middle?.ms, middle?.total], [rows[0].ms, rows[0].total])
  assert.ok(middle!.n < rows[0].total / 4, `${middle!.n} of ${rows[0].total} were looked at`)
})

test('of very many leads times are told from steps, off by an eighth at most', async () => {
  const asked = { span, now }
  const read = (most?: number) => inTenant(db, systemIn(acme.id), (tx) => readAnalytics(tx, asked, 'week', most))
  const [exact, many] = [await read(), await read(100)]
  const { middle } = await inTenant(db, systemIn(acme.id), (tx) => readKpis(tx, question, 100))

  assert.deepEqual([exact.steps, many.times, middle?.ms], [null, null, null])
  assert.deepEqual(many.sums, exact.sums)
  const [told, known] = [timesFrom(many), timesFrom(exact)]
  for (const share of ['median', 'p90'] as const) {
    const off = told.response[share]! / known.response[share]!
    assert.ok(off > 0.88 && off < 1.13, `${share} ${off}`)
  }
  assert.ok(middle!.lower <= known.response.median! && known.response.median! < middle!.upper)
  assert.deepEqual(told.mql, { median: null, p90: null })
})

test('days that were marked are looked up all at once, and of what fell due only what is not noted yet', async () => {
  await owner.query(
    `insert into crm.lead_rollup_dirty (tenant_id, id, day)
     select $1, gen_random_uuid(), date '2026-01-01' + n from generate_series(0, 89) n`,
    [acme.id],
  )
  const asked = { span, now }

  for (const work of [
    (tx: TenantTx) => readKpis(tx, question),
    (tx: TenantTx) => readAnalytics(tx, asked, 'week'),
    (tx: TenantTx) => readSourceSums(tx, { ...asked, owner_id }),
  ]) {
    const plan = await planOf(work)

    assert.match(plan, /leads_by_day.*(\n.*)?\n\s+Index Cond: .*created_on = ANY/)
    assert.match(plan, /leads_waiting.*(\n.*)?\n\s+Index Cond: .*sla_due_at < /)
    assert.doesNotMatch(plan, /Seq Scan on leads|Cond: .*created_on = marked|Filter: .*created_on = marked/)
  }
})

async function addMany(tenantId: string, count: number) {
  await owner.query(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, owner_id, created_on, created_at, first_responded_at, sla_due_at)
     select $1, gen_random_uuid(), 'Lead', (array['web', 'fair', 'api'])[1 + n % 3], '', case when n % 4 = 0 and $3 then $4::uuid end,
       date '2026-01-01' + n % 90, date '2026-01-01' + n % 90, case when n % 5 > 0 then
         date '2026-01-01' + n % 90 + (n * 7919 % 100000) * interval '1 second' end, date '2027-01-01'
     from generate_series(1, $2::integer) n`,
    [tenantId, count, tenantId === acme.id, owner_id],
  )
}
