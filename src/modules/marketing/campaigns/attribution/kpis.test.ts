import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addDays } from '#platform/calendar'
import { startTestApp } from '#testing'
import { euros, newContact, newDeal } from '../../../crm/deals/opportunities/opportunities.fixture.ts'
import {
  addMembers,
  addResponse,
  campaignsUrl,
  getKpis,
  listMembers,
  newCampaign,
  newLead,
} from '../campaigns/campaigns.fixture.ts'
import { attributeDeals, daysAgo, win } from './attribution.fixture.ts'

const app = await startTestApp()
const { tenant } = app

type Week = { bucket_on: string; added: number; responded: number }

test('crm-4-12 a campaign without cost, members or deals has zeros, and its rates and ROI are null', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme, { type: 'other' })

  const { as_of, by_week, ...kpis } = await getKpis(acme, id)

  const none = { won_amount: euros('0.00'), open_amount: euros('0.00') }
  assert.ok(as_of)
  assert.deepEqual([by_week.length, new Set(by_week.map(({ added }: Week) => added))], [26, new Set([0])])
  assert.deepEqual(kpis, {
    members: 0,
    leads: 0,
    contacts: 0,
    responded: 0,
    response_rate: null,
    by_status: { targeted: 0, responded: 0 },
    new_leads: 0,
    mqls: 0,
    sqls: 0,
    converted: 0,
    opportunities: { influenced: 0, open: 0, won: 0, open_amount: euros('0.00'), won_amount: euros('0.00') },
    attribution: { first_touch: none, last_touch: none, linear: none },
    budget: null,
    actual_cost: null,
    budget_used_rate: null,
    cost_per_lead: null,
    cost_per_response: null,
    roi: null,
  })
})

test('cost 4,000, 500 members, 60 responses and 40 new leads give 0.12, 66.67 per response and 100.00 per lead', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme, { actual_cost: euros('4000'), budget: euros('5000') })
  await acme.sql(
    `with added as (
       insert into crm.leads (tenant_id, id, last_name, source, search_text, created_at, created_on)
       select $1, gen_random_uuid(), 'Lead ' || n, 'import', ' lead ' || n,
         now() - case when n <= 40 then interval '6 days' else interval '8 days' end, current_date
       from generate_series(1, 500) n returning id, created_at
     )
     insert into marketing.campaign_members (tenant_id, id, campaign_id, lead_id, status, first_touched_at, responded_at, added_via,
       lead_created_at, is_new_lead)
     select $1, gen_random_uuid(), $2, id, case when row_number() over () <= 60 then 'clicked' else 'sent' end, now(),
       case when row_number() over () <= 60 then now() end, 'import', created_at, created_at >= now() - interval '7 days' from added`,
    [acme.id, id],
  )

  const kpis = await getKpis(acme, id)

  assert.deepEqual([kpis.members, kpis.responded, kpis.new_leads], [500, 60, 40])
  assert.deepEqual([kpis.response_rate, kpis.budget_used_rate], [0.12, 0.8])
  assert.deepEqual([kpis.cost_per_response, kpis.cost_per_lead], [euros('66.67'), euros('100.00')])
  assert.deepEqual(kpis.roi, { first_touch: -1, last_touch: -1, linear: -1 })
  assert.deepEqual([kpis.by_status.clicked, kpis.by_status.sent, kpis.by_status.opened], [60, 440, 0])
  assert.partialDeepStrictEqual(kpis.by_week.at(-1), { added: 500, responded: 60 })
})

test('a new lead counts for its first campaign only, and for the next one if it is removed from the first', async () => {
  const acme = await tenant()
  const [one, two] = [await newCampaign(acme), await newCampaign(acme)]
  const [lead, old] = [await newLead(acme), await newLead(acme)]
  await acme.sql(`update crm.leads set created_at = now() - interval '8 days' where id = $1`, [old])
  for (const { id } of [one, two]) await addMembers(acme, id, { lead_ids: [lead, old] })
  const newLeads = async () => [(await getKpis(acme, one.id)).new_leads, (await getKpis(acme, two.id)).new_leads]

  const before = await newLeads()
  const { rows } = await acme.sql('select id from marketing.campaign_members where campaign_id = $1 and lead_id = $2', [
    one.id,
    lead,
  ])
  await acme.member.delete(`/api/campaigns/${one.id}/members/${rows[0].id}`)

  assert.deepEqual(
    [before, await newLeads()],
    [
      [1, 0],
      [0, 1],
    ],
  )
})

test('MQLs, SQLs and conversions of members are counted', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const leads = [await newLead(acme, { company: 'Initech' }), await newLead(acme), await newLead(acme)]
  await addMembers(acme, id, { lead_ids: leads })

  await acme.manager.patch(`/api/leads/${leads[1]}`, { lifecycle_stage: 'mql' })
  await acme.manager.post(`/api/leads/${leads[0]}/convert`, {})

  const { mqls, sqls, converted, leads: open, contacts } = await getKpis(acme, id)
  assert.deepEqual([mqls >= 1, sqls, converted, open, contacts], [true, 1, 1, 2, 1])
})

test('with children, members and costs add up and a deal counts once', async () => {
  const acme = await tenant()
  const parent = await newCampaign(acme, { actual_cost: euros('100') })
  const child = await newCampaign(acme, { parent_campaign_id: parent.id, actual_cost: euros('50'), type: 'other' })
  const contact = await newContact(acme)
  await newDeal(acme, { amount: euros('30'), primary_contact_id: contact })
  const at = (days: number) => new Date(Date.now() - days * 86_400_000).toISOString()
  await addResponse(acme, parent.id, { contact_ids: [contact] }, at(3))
  await addMembers(acme, child.id, { contact_ids: [contact], status: 'responded' })
  await attributeDeals(app)

  const alone = await getKpis(acme, parent.id)
  const all = await getKpis(acme, parent.id, '?include_children=true')

  assert.deepEqual(
    [alone.members, alone.actual_cost, alone.attribution.linear.open_amount],
    [1, euros('100.00'), euros('15.00')],
  )
  assert.deepEqual(
    [all.members, all.actual_cost, all.attribution.linear.open_amount],
    [2, euros('150.00'), euros('30.00')],
  )
  assert.deepEqual([all.opportunities.influenced, all.opportunities.open_amount], [1, euros('30.00')])
  assert.deepEqual([all.by_status.clicked, all.by_status.responded], [1, 1])
})

test('members are counted by weeks that begin on Monday in the time zone of the workspace', async () => {
  const acme = await tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'America/New_York' } })
  const { id } = await newCampaign(acme)
  const leads = [await newLead(acme), await newLead(acme), await newLead(acme)]
  await addMembers(acme, id, { lead_ids: leads, status: 'clicked' })
  const weeks: Week[] = (await getKpis(acme, id)).by_week
  const [first, last] = [weeks[0]!.bucket_on, weeks.at(-1)!.bucket_on]
  const move = (lead: string | undefined, day: string, seconds: number) =>
    acme.sql(
      `update marketing.campaign_members set responded_at = moved.at, first_touched_at = moved.at - interval '1 week'
       from (select $2::date::timestamp at time zone 'America/New_York' + $3 * interval '1 second' as at) as moved where lead_id = $1`,
      [lead, day, seconds],
    )

  await move(leads[0], last, 0)
  await move(leads[1], last, -1)
  await move(leads[2], first, -1)

  const { by_week, members, responded } = await getKpis(acme, id)
  const counted = by_week.flatMap(({ added, responded }: Week, index: number) =>
    added || responded ? [[index, added, responded]] : [],
  )
  assert.deepEqual(counted, [
    [23, 1, 0],
    [24, 1, 1],
    [25, 0, 1],
  ])
  assert.deepEqual([members, responded], [3, 3])
  assert.ok(weeks.every(({ bucket_on }) => new Date(bucket_on).getUTCDay() === 1))

  const list = async (query: string) => (await listMembers(acme, id, 'members', query)).length
  const shown = await Promise.all(
    by_week.slice(22).map(async ({ bucket_on }: Week) => {
      const days = [bucket_on, addDays(bucket_on, 6)]
      return [
        await list(`?added_from=${days[0]}&added_to=${days[1]}`),
        await list(`?responded_from=${days[0]}&responded_to=${days[1]}`),
      ]
    }),
  )
  assert.deepEqual(
    shown,
    by_week.slice(22).map(({ added, responded }: Week) => [added, responded]),
  )
  assert.deepEqual([await list(`?added_to=${addDays(first, -1)}`), await list(`?responded_from=${first}`)], [1, 2])
  const wrong = await acme.viewer.get(`${campaignsUrl}${id}/members?added_from=${last}&added_to=${first}`)
  assert.deepEqual([wrong.status, wrong.body.errors[0].path], [422, '/added_to'])
})

test('the list has the linear shares and the return of each campaign on request, as its KPIs', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const paid = await newCampaign(acme, { actual_cost: euros('20') })
  const free = await newCampaign(acme)
  const contact = await newContact(acme)
  const { id: won } = await newDeal(acme, { amount: euros('100.01'), primary_contact_id: contact })
  await newDeal(acme, { amount: euros('30'), primary_contact_id: contact })
  for (const { id } of [paid, free]) await addResponse(acme, id, { contact_ids: [contact] }, daysAgo(3))
  await win(acme, won)
  await attributeDeals(app)
  const list = async (by = acme, query = '?include=results') =>
    (await by.viewer.get(`${campaignsUrl}${query}`)).body.items

  const items = await list()

  const expected = []
  for (const { id } of items) {
    const { attribution, roi } = await getKpis(acme, id)
    expected.push({ id, results: { ...attribution.linear, roi: roi?.linear ?? null } })
  }
  assert.deepEqual(
    items.map(({ id, results }: { id: string; results: object }) => ({ id, results })),
    expected,
  )
  const { results } = items.find(({ id }: { id: string }) => id === paid.id)
  assert.deepEqual([results.open_amount, results.roi > 1.5], [euros('15.00'), true])
  assert.deepEqual(
    [await list(other), (await list(acme, '')).map(({ results: none }: { results?: object }) => none)],
    [[], [undefined, undefined]],
  )
  assert.equal((await acme.viewer.get(`${campaignsUrl}?include=everything`)).status, 422)
})
