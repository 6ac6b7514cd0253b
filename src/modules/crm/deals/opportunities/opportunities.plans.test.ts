// Query plans of deal lists, boards and forecasts, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanApp, startQueryPlans } from '#testing'
import { findRecordsByText } from '../../lookup/record-search/record-search.queries.ts'
import { listAccountTotals } from '../../people/accounts/accounts.queries.ts'
import { listClosingDealRows, sumDealsOfOwner } from '../../work/home/home-deals.queries.ts'
import { listFoundStageDeals, listStageDeals, sumFoundStages } from '../deal-board/deal-board.queries.ts'
import { sumForecast, sumForecastByOwner } from '../forecast/forecast.queries.ts'
import { toClosedPeriod } from '../forecast/forecast.rules.ts'
import { sumStages } from '../forecast/stage-sums.queries.ts'
import { listOpportunityRows } from './list-opportunities.queries.ts'
import type { OpportunitySort } from './opportunities.schemas.ts'
import type { OpportunityFilter } from './opportunity-filter.queries.ts'

const { owner, database, db, tenant } = await startPlanApp()
const acme = await tenant()
const { items } = (await acme.viewer.get('/api/opportunities/pipelines')).body
const pipelineId: string = items[0].id
const other = await tenant()
const [foreign] = (await other.viewer.get('/api/opportunities/pipelines')).body.items
await loadRows(owner, async (client) => {
  await addMany(client, acme, pipelineId, 20_000)
  await addMany(client, other, foreign.id, 5_000)
})
const { rows } = await owner.query(
  'select account_id, campaign_id from crm.opportunities where tenant_id = $1 and campaign_id is not null limit 1',
  [acme.id],
)
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acme.id), work)

const plan = (filter: OpportunityFilter, sort: OpportunitySort = 'close_on', cursor?: string) =>
  planOf((tx) => listOpportunityRows(tx, filter, { sort, limit: 50, offset: 0, count: 'none', cursor }))

const filters: [string, OpportunityFilter, RegExp][] = [
  ['nothing', {}, /opportunities_by_close .*\n\s+Index Cond: .*tenant_id/],
  ['kind', { kind: ['open'] }, /opportunities_by_kind .*\n\s+Index Cond: .*kind = /],
  ['kinds', { kind: ['won', 'lost'] }, /opportunities_by_kind .*\n\s+Index Cond: .*kind = /],
  ['owner', { owner_id: acme.member.userId }, /opportunities_by_owner .*\n\s+Index Cond: .*owner_id = .*kind = /],
  [
    'team',
    { member_ids: [acme.member.userId, acme.admin.userId] },
    /opportunities_by_owner .*\n\s+Index Cond: .*owner_id = .*kind = /,
  ],
  ['account', { account_id: rows[0].account_id }, /opportunities_by_account .*\n\s+Index Cond: .*account_id = /],
  ['campaign', { campaign_id: rows[0].campaign_id }, /opportunities_by_campaign .*\n\s+Index Cond: .*campaign_id = /],
  ['pipeline', { pipeline_id: pipelineId }, /opportunities_by_stage_close .*\n\s+Index Cond: .*pipeline_id = /],
  ['stage', { stage_key: ['proposal'] }, /opportunities_by_stage_close .*\n\s+Index Cond: .*stage_key = /],
  [
    'category',
    { forecast_category: ['commit'] },
    /opportunities_by_category .*\n\s+Index Cond: .*forecast_category = /,
  ],
  ['from', { close_from: '2026-06-01' }, /opportunities_by_close .*\n\s+Index Cond: .*close_on >= /],
  ['to', { close_to: '2026-06-01' }, /opportunities_by_close .*\n\s+Index Cond: .*close_on <= /],
  ['overdue', { overdue_on: '2026-06-01' }, /opportunities_by_kind .*\n\s+Index Cond: .*kind = .*close_on < /],
  ['amount', { amount_min: 995_000 }, /opportunities_by_amount.*\n\s+Index Cond: .*amount_base_minor/],
  [
    'contact',
    { contact_id: newId() },
    /opportunities_by_contact.*\n\s+(Index Cond|.*\n\s+Index Cond): .*primary_contact_id = /,
  ],
  [
    'search',
    { search: 'deal 777' },
    /search_texts_by_grams.*\n\s+Index Cond: .*@> (.*\n)+.*opportunities_pkey .*\n\s+Index Cond: .*id = ANY/,
  ],
]

for (const [name, filter, expected] of filters)
  test(`listing deals by ${name} uses an index`, async () => {
    const actual = await plan(filter)

    assert.match(actual, expected)
    assert.doesNotMatch(actual, /Seq Scan on (opportunities|deal_sums|deal_deltas)/)
  })

const sorts: [OpportunitySort, string][] = [
  ['close_on', 'close'],
  ['amount', 'amount'],
  ['created_at', 'creation'],
  ['updated_at', 'change'],
  ['name', 'name'],
]

for (const [sort, index] of sorts)
  test(`sorting deals by ${sort} uses an index in both directions and after a cursor`, async () => {
    for (const way of [sort, `-${sort}` as OpportunitySort]) {
      const first = await inTenant(db, systemActor(acme.id), (tx) =>
        listOpportunityRows(tx, {}, { sort: way, limit: 50, offset: 0, count: 'none' }),
      )
      const actual = await plan({}, way, first.next_cursor!)

      assert.match(actual, new RegExp(`opportunities_by_${index} .*\\n\\s+Index Cond: .*tenant_id.*ROW\\(`))
      assert.doesNotMatch(actual, /Seq Scan on opportunities/)
    }
  })

test('a pipeline stage sorted by amount uses the stage index', async () => {
  const actual = await plan({ pipeline_id: pipelineId, stage_key: ['proposal'] }, '-amount')

  assert.match(actual, /opportunities_by_stage .*\n\s+Index Cond: .*pipeline_id = .*stage_key = /)
})

test('the deals of an owner in a stage, sorted by amount, use an index', async () => {
  const filter = {
    owner_id: acme.member.userId,
    pipeline_id: pipelineId,
    stage_key: ['proposal'],
    kind: ['open' as const],
  }

  const actual = await plan(filter, '-amount')

  assert.match(actual, /opportunities_by_owner_stage .*\n\s+Index Cond: .*owner_id = .*pipeline_id = .*stage_key = /)
  assert.doesNotMatch(actual, /Seq Scan on opportunities/)
})

test('the board reads the first deals of each stage in the order of an index', async () => {
  const filter = { pipelineId, stageKeys: ['prospecting', 'proposal'], limit: 21 }

  const all = await planOf((tx) => listStageDeals(tx, filter))
  const owned = await planOf((tx) =>
    listStageDeals(tx, { ...filter, ownerIds: [acme.member.userId, acme.admin.userId] }),
  )

  assert.match(
    all,
    /opportunities_by_stage .*\n\s+Index Cond: .*pipeline_id = .*stage_key = .*amount_base_minor IS NOT NULL/,
  )
  assert.match(
    owned,
    /opportunities_by_owner_stage .*\n\s+Index Cond: .*owner_id = .*stage_key = .*amount_base_minor IS NOT/,
  )
  assert.doesNotMatch(all + owned, /Seq Scan on opportunities/)
})

test('the cards and sums of a searched board read the found deals only', async () => {
  const found = { pipelineId, ids: Array.from({ length: 20 }, newId) }

  const cards = await planOf((tx) => listFoundStageDeals(tx, { ...found, stageKeys: ['proposal'], limit: 21 }))
  const sums = await planOf((tx) => sumFoundStages(tx, { ...found, closedFrom: new Date('2026-04-01') }))

  for (const actual of [cards, sums]) {
    assert.match(actual, /opportunities_pkey.*(\n.*)?\n\s+Index Cond: .*id = ANY/)
    assert.doesNotMatch(actual, /Seq Scan on opportunities/)
  }
})

test('the sums of the board read sums of recent months, and only the deals closed around the start of the quarter', async () => {
  const filter = { pipelineId, closed: toClosedPeriod('2026-04-01', 'Europe/Berlin') }

  const all = await planOf((tx) => sumStages(tx, filter))
  const owned = await planOf((tx) => sumStages(tx, { ...filter, ownerIds: [acme.member.userId] }))

  for (const actual of [all, owned]) {
    assert.match(actual, /stage_sums_pkey .*\n\s+Index Cond: .*pipeline_id = .*closed_month >= /)
    assert.match(actual, /Index Cond: .*pipeline_id = .*closed_at >= .*closed_at < /)
    assert.doesNotMatch(actual, /Seq Scan on opportunities/)
  }
})

test('a forecast reads only the days of its period, with and without owners', async () => {
  const period = { from: '2026-04-01', to: '2026-06-30' }
  const filter = { period, groupBy: 'owner', today: '2026-05-01' } as const

  const all = await planOf((tx) => sumForecast(tx, filter))
  const some = await planOf((tx) => sumForecast(tx, { ...filter, ownerIds: [acme.member.userId] }))
  const byOwner = await planOf((tx) => sumForecastByOwner(tx, [acme.member.userId], period))

  assert.match(all, /deal_sums_pkey.*\n\s+Index Cond: .*close_on >= /)
  for (const actual of [some, byOwner]) assert.match(actual, /Index Cond: .*close_on >= /)
  assert.doesNotMatch(all + some + byOwner, /Seq Scan on opportunities/)
})

test('the home page reads the open deals of the user and the won deals of the quarter', async () => {
  const quarter = { start_on: '2026-04-01', end_on: '2026-06-30' }

  const sums = await planOf((tx) => sumDealsOfOwner(tx, acme.member.userId, { closingUntil: '2026-05-30', quarter }))
  const closing = await planOf((tx) => listClosingDealRows(tx, acme.member.userId, '2026-05-30', 6))

  const ofOwner = 'opportunities_by_owner.*(\\n.*)?\\n\\s+Index Cond: .*owner_id = .*'
  assert.match(sums, new RegExp(`${ofOwner}kind = 'open'`))
  assert.match(sums, new RegExp(`${ofOwner}kind = 'won'.*close_on >= .*close_on <= `))
  assert.match(closing, new RegExp(`${ofOwner}kind = 'open'.*close_on <= `))
  assert.doesNotMatch(sums + closing, /Seq Scan on (opportunities|accounts)/)
})

test('the search of all records ranks the matching deals only', async () => {
  const actual = await planOf((tx) => findRecordsByText(tx, 'opportunity', 'deal 777', 5))

  assert.match(actual, /Bitmap Index Scan on search_texts_by_grams/)
  assert.match(actual, /opportunities_pkey.*(\n.*)?\n\s+Index Cond: .*id = ANY/)
  assert.doesNotMatch(actual, /Seq Scan on (opportunities|search_texts)/)
})

test('the totals of a page of accounts read only their deals', async () => {
  const { rows: accounts } = await owner.query('select id from crm.accounts where tenant_id = $1 limit 100', [acme.id])
  const ids = accounts.map(({ id }) => id)

  const text = await planOf((tx) => listAccountTotals(tx, ids))

  assert.match(text, /opportunities_by_account on opportunities.*\n\s+Index Cond: .*tenant_id.*account_id = /)
  assert.doesNotMatch(text, /Seq Scan on opportunities/)
})

async function addMany(client: Loader, { id: tenantId, member }: typeof acme, pipeline: string, count: number) {
  await client.query(
    `insert into crm.accounts (tenant_id, id, name, name_key, search_text)
     select $1, gen_random_uuid(), 'Account ' || n, 'account ' || n, '' from generate_series(1, 200) n`,
    [tenantId],
  )
  await client.query(
    `with accounts as (select array_agg(id) as ids from crm.accounts where tenant_id = $1),
       stages as (select array_agg(s) as list from crm.pipeline_stages s where s.tenant_id = $1 and s.pipeline_id = $3),
       campaigns as (select array_agg(gen_random_uuid()) as ids from generate_series(1, 50))
     insert into crm.opportunities (tenant_id, id, name, name_key, search_text, account_id, pipeline_id, stage_key, kind,
       amount_minor, amount_currency, amount_base_minor, probability_basis, forecast_category, close_on, closed_at,
       lost_reason, owner_id, campaign_id, created_at, updated_at)
     select $1, gen_random_uuid(), 'Deal ' || n, 'deal ' || n, ' deal ' || n, accounts.ids[1 + n % 200], $3, stage.key,
       stage.kind, n * 50, 'EUR', n * 50, stage.probability_basis, stage.forecast_category, date '2026-01-01' + n % 365,
       case when stage.kind <> 'open' then now() end, case when stage.kind = 'lost' then 'price' end,
       case when n % 40 = 0 then $2::uuid end, case when n % 10 = 0 then campaigns.ids[1 + n / 10 % 50] end,
       now() - n * interval '1 minute', now() - n * interval '1 minute'
     from generate_series(1, $4::integer) n, accounts, stages, campaigns,
       lateral (select (stages.list[1 + n % 6]).*) as stage`,
    [tenantId, member.userId, pipeline, count],
  )
  await client.query(
    `insert into crm.search_texts (tenant_id, record_type, record_id, search_text)
     select tenant_id, 'opportunity', id, search_text from crm.opportunities where tenant_id = $1`,
    [tenantId],
  )
}
