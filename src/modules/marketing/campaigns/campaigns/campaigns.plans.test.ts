// Query plans of campaign and member lists, as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { countRecentMembers, listRunningCadences } from '../../home/home.queries.ts'
import { listInfluencedRows } from '../attribution/influenced-opportunities.queries.ts'
import { countMembersByWeek, sumTouches } from '../attribution/kpis.queries.ts'
import { listTenantsWithMarks } from '../attribution/marks.queries.ts'
import { listMemberships } from '../attribution/touches.queries.ts'
import { listMemberRows, listMembershipRows, type MemberFilter } from '../campaign-members/list-members.queries.ts'
import { countMembersByStatus, listTenantsWithNewCounts } from './campaign-counts.queries.ts'
import { campaignFact } from './campaign-fact.queries.ts'
import { sumLinearShares } from './campaign-results.queries.ts'
import { hasUtmCampaigns } from './campaigns.queries.ts'
import { type CampaignFilter, listCampaignRows } from './list-campaigns.queries.ts'

const { owner, database } = await startPlanDb()
const [acmeId, memberId, campaignId] = [newId(), newId(), newId()]
await loadRows(owner, async (client) => {
  await fill(client, acmeId, campaignId)
  await fill(client, newId(), newId())
})
const { rows } = await owner.query(
  'select lead_id from marketing.campaign_members where campaign_id = $1 and lead_id is not null limit 1',
  [campaignId],
)
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)
const page = { limit: 50, offset: 0, count: 'none' } as const

const campaignFilters: [string, CampaignFilter, RegExp][] = [
  ['nothing', {}, /campaigns_by_rank .*\n\s+Index Cond: .*tenant_id/],
  ['status', { status: ['active', 'draft'] }, /campaigns_by_rank .*\n\s+Index Cond: .*list_rank >= /],
  ['type', { type: ['event'] }, /campaigns_by_type .*\n\s+Index Cond: .*type = /],
  ['nothing, in reverse order', { sort: '-priority' }, /Index Scan Backward using campaigns_by_rank /],
  ['owner', { owner_id: memberId }, /campaigns_by_owner .*\n\s+Index Cond: .*owner_id = /],
]
for (const [name, filter, expected] of campaignFilters)
  test(`listing campaigns by ${name} uses an index in list order`, async () => {
    const plan = await planOf((tx) => listCampaignRows(tx, filter, page))

    assert.match(plan, expected)
    assert.doesNotMatch(plan, /Seq Scan on campaigns/)
  })

const memberFilters: [string, Partial<MemberFilter>, RegExp][] = [
  ['nothing', {}, /campaign_members_by_touch .*\n\s+Index Cond: .*campaign_id = /],
  ['kind', { kind: 'contact' }, /campaign_members_by_kind .*\n\s+Index Cond: .*is_contact = /],
  ['status', { status: 'replied' }, /campaign_members_by_status .*\n\s+Index Cond: .*status = /],
  ['response', { responded: true }, /campaign_members_by_response .*\n\s+Index Cond: .*responded = /],
  [
    'day of addition',
    { added: { since: '2026-01-01T00:00:00Z', until: '2026-01-08T00:00:00Z' } },
    /campaign_members_by_touch .*\n\s+Index Cond: .*first_touched_at >= /,
  ],
  [
    'day of response',
    { respondedAt: { since: '2026-01-01T00:00:00Z', until: '2026-01-08T00:00:00Z' } },
    /campaign_members_by_\w+ .*\n\s+Index Cond: .*campaign_id = /,
  ],
  [
    'search',
    { search: 'lead 777' },
    /search_texts_by_grams(.*\n)+.*campaign_members_lead_unique(.*\n)+.*campaign_members_pkey/,
  ],
]
for (const [name, filter, expected] of memberFilters)
  test(`listing members by ${name} uses an index`, async () => {
    const plan = await planOf((tx) => listMemberRows(tx, { campaignId, ...filter }, page))

    assert.match(plan, expected)
    assert.doesNotMatch(plan, /Seq Scan on campaign_members|Sort Key: .*first_touched_at.*\n.*\n.*rows=[0-9]{4}/)
  })

test('a deep page of members reads one range of the index', async () => {
  const cursorOf = async (tx: TenantTx) => (await listMemberRows(tx, { campaignId }, page)).next_cursor!
  let cursor = ''
  await planOf(async (tx) => {
    cursor = await cursorOf(tx)
  })

  const plan = await planOf((tx) => listMemberRows(tx, { campaignId }, { ...page, cursor }))

  assert.match(plan, /campaign_members_by_touch .*\n\s+Index Cond: .*ROW\(first_touched_at, id\) < /)
})

test('campaigns of a lead, influenced deals, KPIs and marks use indexes', async () => {
  const plan = await planOf(async (tx) => {
    await listMembershipRows(tx, { lead_id: rows[0].lead_id }, page)
    await listInfluencedRows(tx, { campaignId }, page)
    await sumTouches(tx, [campaignId])
    await sumLinearShares(tx, [campaignId])
    await countMembersByWeek(tx, [campaignId], [new Date(Date.now() - 3_600_000).toISOString()])
    await countMembersByStatus(tx, [campaignId])
    await listMemberships(tx, { leadIds: [rows[0].lead_id], contactIds: [newId()] })
    await hasUtmCampaigns(tx)
  })
  const systemPlan = await plans.systemPlanOf(async (tx) => {
    await listTenantsWithMarks(tx)
    await listTenantsWithNewCounts(tx)
  })

  assert.match(plan, /campaign_members_lead_unique .*\n\s+Index Cond: .*lead_id = /)
  assert.match(plan, /opportunity_touches_by_campaign .*\n\s+Index Cond: .*campaign_id = .*kind = /)
  assert.match(plan, /campaign_counts_pkey/)
  assert.match(plan, /campaign_members_by_response_time .*\n\s+Index Cond: .*responded_at >= /)
  assert.doesNotMatch(plan, /Seq Scan on (campaign_members|campaign_counts|opportunity_touches)/)
  assert.doesNotMatch(systemPlan, /Seq Scan/)
})

test('the campaigns and cadences of the home page use indexes', async () => {
  const since = new Date(Date.now() - 3_600_000)

  const plan = await planOf(async (tx) => {
    await countRecentMembers(tx, [campaignId], { since, limit: 10_000 })
    await listRunningCadences(tx, memberId, 6)
  })

  assert.match(plan, /campaign_members_by_touch .*\n\s+Index Cond: .*campaign_id = .*first_touched_at >= /)
  assert.match(plan, /campaign_members_by_response_time .*\n\s+Index Cond: .*campaign_id = .*responded_at >= /)
  assert.match(plan, /cadences_by_owner .*\n\s+Index Cond: .*owner_id = /)
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('the set form of the fact reads the members of the campaign only', async () => {
  const context = { objectType: 'lead', now: new Date(), timezone: 'UTC', me: null }
  const select = campaignFact.select as unknown as (params: object, context: object) => { records: never }
  const { records } = select({ campaign_id: campaignId }, context)

  const plan = await planOf((tx) => sql`select record_id from (${records}) as matching limit 10001`.execute(tx))

  assert.match(plan, /campaign_members_\w+ .*\n\s+Index Cond: .*campaign_id = /)
  assert.doesNotMatch(plan, /Seq Scan/)
})

/** 3,000 campaigns and cadences; one of the campaigns has 2,000 members and 500 deals, the others share 6,000 members. */
async function fill(client: Loader, tenantId: string, id: string): Promise<void> {
  await client.query(
    `insert into marketing.campaigns (tenant_id, id, name, type, status, start_on, owner_id, member_statuses, search_text)
     select $1, case when n = 1 then $2::uuid else gen_random_uuid() end, 'Campaign ' || n,
       (array['email', 'event', 'content', 'social', 'other'])[1 + n % 5], (array['active', 'draft', 'completed', 'archived'])[1 + n % 4],
       date '2025-01-01' + n % 500, case when n % 40 = 0 then $3::uuid end, '[]', ' campaign ' || n
     from generate_series(1, 3000) n`,
    [tenantId, id, tenantId === acmeId ? memberId : null],
  )
  await client.query(
    `insert into marketing.cadences (tenant_id, id, name, status, owner_id, run_window, exit_on, search_text)
     select $1, gen_random_uuid(), 'Cadence ' || n, (array['active', 'draft', 'paused', 'archived'])[1 + n % 4],
       case when n % 40 = 0 then $2::uuid end, '{}', '{}', ' cadence ' || n
     from generate_series(1, 3000) n`,
    [tenantId, tenantId === acmeId ? memberId : null],
  )
  await client.query(
    `with leads as (
       insert into crm.leads (tenant_id, id, last_name, source, search_text, created_at, created_on)
       select $1, gen_random_uuid(), 'Lead ' || n, 'import', ' lead ' || n, now(), current_date from generate_series(1, 6000) n returning id
     ), contacts as (
       insert into crm.contacts (tenant_id, id, last_name, name_key, search_text, source, lifecycle_stage)
       select $1, gen_random_uuid(), 'Contact', 'contact', ' contact', 'manual', 'lead' from generate_series(1, 2000) n returning id
     )
     insert into marketing.campaign_members (tenant_id, id, campaign_id, lead_id, contact_id, status, first_touched_at, responded_at, added_via)
     select $1, gen_random_uuid(), case when row_number() over () % 4 = 0 then $2::uuid else campaigns.ids[1 + row_number() over () % 3000] end,
       lead_id, contact_id,
       case when row_number() over () % 20 = 0 then 'replied' else 'sent' end, now() - row_number() over () * interval '1 minute',
       case when row_number() over () % 20 = 0 then now() end, 'import'
     from (select id as lead_id, null::uuid as contact_id from leads union all select null, id from contacts) as persons,
       (select array_agg(id) as ids from marketing.campaigns where tenant_id = $1) as campaigns`,
    [tenantId, id],
  )
  await client.query(
    `insert into marketing.attribution_marks (tenant_id, id, record_type, record_id)
     select $1, gen_random_uuid(), 'lead', gen_random_uuid() from generate_series(1, 2000)`,
    [tenantId],
  )
  const accountId = newId()
  await client.query(
    `insert into crm.accounts (tenant_id, id, name, name_key, search_text) values ($1, $2, 'Initech', 'initech', ' initech')`,
    [tenantId, accountId],
  )
  await client.query(
    `with deals as (
       insert into crm.opportunities (tenant_id, id, name, name_key, account_id, pipeline_id, stage_key, kind, probability_basis,
         forecast_category, close_on, search_text)
       select $1, gen_random_uuid(), 'Deal ' || n, 'deal', $3, $3, 'proposal', 'open', 1000, 'pipeline', current_date, ' deal'
       from generate_series(1, 2000) n returning id
     )
     insert into marketing.opportunity_touches (tenant_id, id, opportunity_id, campaign_id, touch_at, position, of, kind,
       amount_base_minor, first_minor, last_minor, linear_minor, frozen)
     select $1, gen_random_uuid(), id, case when row_number() over () % 4 = 0 then $2::uuid else campaigns.ids[1 + row_number() over () % 3000] end,
       now(), 1, 1, (array['open', 'won', 'lost'])[1 + row_number() over () % 3], row_number() over (), 0, 0, 0, false
     from deals, (select array_agg(id) as ids from marketing.campaigns where tenant_id = $1) as campaigns`,
    [tenantId, id, accountId],
  )
  await client.query(
    `insert into marketing.campaign_counts (tenant_id, campaign_id, id, status, is_contact, is_delta, members, responded, new_leads, mqls, sqls, converted)
     select $1, id, gen_random_uuid(), 'sent', false, false, 1, 0, 0, 0, 0, 0 from marketing.campaigns where tenant_id = $1`,
    [tenantId],
  )
  await client.query(
    `insert into crm.search_texts (tenant_id, record_type, record_id, search_text, priority_rank, created_at)
     select tenant_id, 'lead', id, search_text, priority_rank, created_at from crm.leads where tenant_id = $1
     union all select tenant_id, 'contact', id, search_text, null, null from crm.contacts where tenant_id = $1`,
    [tenantId],
  )
}
