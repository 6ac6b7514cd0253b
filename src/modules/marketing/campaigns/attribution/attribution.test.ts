import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { dayFromNow, euros, newContact, newDeal, url } from '../../../crm/deals/opportunities/opportunities.fixture.ts'
import {
  addMembers,
  addResponse,
  campaignsUrl,
  getKpis,
  listMembers,
  newCampaign,
  newLead,
} from '../campaigns/campaigns.fixture.ts'
import { attributeDeals, creditOf, daysAgo, listOpps, win } from './attribution.fixture.ts'

const app = await startTestApp()
const { tenant } = app

test('crm-4-6 the example of two won deals yields the exact cents, and each model sums to the deals', async () => {
  const acme = await tenant()
  const campaigns = [
    await newCampaign(acme, { actual_cost: euros('4000') }),
    await newCampaign(acme),
    await newCampaign(acme),
  ]
  const [c1, c2, c3] = campaigns.map(({ id }) => id) as [string, string, string]
  const [one, two] = [await newContact(acme), await newContact(acme, 'Roy')]
  const first = await newDeal(acme, { primary_contact_id: one, amount: euros('10000') })
  const second = await newDeal(acme, { primary_contact_id: two, amount: euros('6000') })
  for (const [index, campaign] of [c1, c2, c3].entries())
    await addResponse(acme, campaign, { contact_ids: [one] }, daysAgo(30 - index))
  for (const [index, campaign] of [c2, c1].entries())
    await addResponse(acme, campaign, { contact_ids: [two] }, daysAgo(20 - index))
  await win(acme, first.id)
  await win(acme, second.id)

  await attributeDeals(app)

  assert.deepEqual(await creditOf(acme, c1), ['1/3 10000.00 0.00 3333.34', '2/2 0.00 6000.00 3000.00'])
  const { attribution, roi, opportunities } = await getKpis(acme, c1)
  assert.deepEqual(
    [attribution.first_touch, attribution.last_touch, attribution.linear].map(({ won_amount }) => won_amount),
    [euros('10000.00'), euros('6000.00'), euros('6333.34')],
  )
  assert.deepEqual(roi, { first_touch: 1.5, last_touch: 0.5, linear: 0.5833 })
  assert.deepEqual(opportunities, {
    influenced: 2,
    open: 0,
    won: 2,
    open_amount: euros('0.00'),
    won_amount: euros('16000.00'),
  })
  for (const model of ['first_touch', 'last_touch', 'linear']) {
    const amounts = await Promise.all(
      [c1, c2, c3].map(async (id) => Number((await getKpis(acme, id)).attribution[model].won_amount.amount) * 100),
    )
    assert.equal(Math.round(amounts.reduce((sum, amount) => sum + amount)), 1_600_000, model)
  }
})

test('crm-4-7 a response after the deal closed adds no touch, and counts after the deal is reopened', async () => {
  const acme = await tenant()
  const [early, late, contact] = [await newCampaign(acme), await newCampaign(acme), await newContact(acme)]
  const deal = await newDeal(acme, { primary_contact_id: contact, amount: euros('100') })
  await addResponse(acme, early.id, { contact_ids: [contact] }, daysAgo(2))
  await win(acme, deal.id)
  await attributeDeals(app)

  await addMembers(acme, late.id, { contact_ids: [contact], status: 'replied' })
  await attributeDeals(app)
  const closed = [await creditOf(acme, early.id), await creditOf(acme, late.id)]
  await acme.manager.patch(`${url}${deal.id}`, { stage_key: 'proposal', close_on: dayFromNow(20) })
  await attributeDeals(app)
  const reopened = [await creditOf(acme, early.id), await creditOf(acme, late.id)]

  assert.deepEqual(closed, [['1/1 100.00 100.00 100.00'], []])
  assert.deepEqual(reopened, [['1/2 100.00 0.00 50.00'], ['2/2 0.00 100.00 50.00']])
})

test('touches of a closed deal are fixed, but their shares follow its amount', async () => {
  const acme = await tenant()
  const [one, two, contact] = [await newCampaign(acme), await newCampaign(acme), await newContact(acme)]
  const other = await newContact(acme, 'Roy')
  const deal = await newDeal(acme, { primary_contact_id: contact, amount: euros('100') })
  await addResponse(acme, one.id, { contact_ids: [contact] }, daysAgo(2))
  await addResponse(acme, two.id, { contact_ids: [other] }, daysAgo(3))
  await win(acme, deal.id)
  await attributeDeals(app)

  await acme.manager.post(`${url}${deal.id}/contacts`, { contact_id: other })
  const [member] = await listMembers(acme, one.id)
  await acme.member.delete(`${campaignsUrl}${one.id}/members/${member.id}`)
  await acme.manager.patch(`${url}${deal.id}`, { amount: euros('250') })
  await attributeDeals(app)

  assert.deepEqual(await creditOf(acme, one.id), ['1/1 250.00 250.00 250.00'])
  assert.deepEqual(await creditOf(acme, two.id), [])
})

test('open deals follow roles, amounts, removed members, deletes and restores', async () => {
  const acme = await tenant()
  const [campaign, contact] = [await newCampaign(acme), await newContact(acme)]
  const deal = await newDeal(acme, { amount: euros('100') })
  await addResponse(acme, campaign.id, { contact_ids: [contact] }, daysAgo(2))
  const credit = async () => {
    await attributeDeals(app)
    return await creditOf(acme, campaign.id)
  }

  assert.deepEqual(await credit(), [])
  await acme.member.post(`${url}${deal.id}/contacts`, { contact_id: contact })
  assert.deepEqual(await credit(), ['1/1 100.00 100.00 100.00'])
  await acme.member.patch(`${url}${deal.id}`, { amount: euros('70') })
  assert.deepEqual(await credit(), ['1/1 70.00 70.00 70.00'])
  await acme.member.delete(`${url}${deal.id}`)
  assert.deepEqual([await credit(), (await getKpis(acme, campaign.id)).opportunities.influenced], [[], 0])
  await acme.member.post(`${url}${deal.id}/restore`)
  assert.deepEqual(await credit(), ['1/1 70.00 70.00 70.00'])
  const [member] = await listMembers(acme, campaign.id)
  await acme.member.delete(`${campaignsUrl}${campaign.id}/members/${member.id}`)
  assert.deepEqual(await credit(), [])
})

test('a converted lead counts for its deal, and a response outside the window does not', async () => {
  const acme = await tenant()
  const [one, old] = [await newCampaign(acme), await newCampaign(acme)]
  const lead = await newLead(acme, { company: 'Initech', email: 'moss@initech.example' })
  await addResponse(acme, one.id, { lead_ids: [lead] }, daysAgo(10))
  await addResponse(acme, old.id, { lead_ids: [lead] }, daysAgo(200))
  await acme.manager.post(`/api/leads/${lead}/convert`, {
    create_opportunity: true,
    opportunity: { amount: euros('90') },
  })

  await attributeDeals(app)

  assert.deepEqual(await creditOf(acme, one.id), ['1/1 90.00 90.00 90.00'])
  assert.deepEqual(await creditOf(acme, old.id), [])
})

test('influenced deals are listed by amount and filtered by kind', async () => {
  const acme = await tenant()
  const [campaign, contact] = [await newCampaign(acme), await newContact(acme)]
  await addResponse(acme, campaign.id, { contact_ids: [contact] }, daysAgo(10))
  for (const [name, amount] of [
    ['small', '10'],
    ['large', '300'],
    ['won', '20'],
  ]) {
    const deal = await newDeal(acme, { name, amount: euros(amount!), primary_contact_id: contact })
    if (name === 'won') await win(acme, deal.id)
  }
  await attributeDeals(app)
  const namesOf = async (query: string) =>
    (await listOpps(acme, campaign.id, query)).map((item: { opportunity: { name: string } }) => item.opportunity.name)

  assert.deepEqual(await namesOf(''), ['large', 'won', 'small'])
  assert.deepEqual(await namesOf('?kind=open'), ['large', 'small'])
  assert.deepEqual(await namesOf('?limit=1&offset=1'), ['won'])
  const [item] = await listOpps(acme, campaign.id, '?kind=won')
  assert.deepEqual([item.kind, item.account.name, item.amount], ['won', 'Initech', euros('20.00')])
})

test('the shares of random deals in the database sum to each deal', async () => {
  const acme = await tenant()
  const campaigns = [await newCampaign(acme), await newCampaign(acme), await newCampaign(acme), await newCampaign(acme)]
  const contacts = [await newContact(acme), await newContact(acme), await newContact(acme)]
  for (const [index, { id }] of campaigns.entries())
    for (const [position, contact] of contacts.entries())
      if ((index + position) % 3 !== 0)
        await addResponse(acme, id, { contact_ids: [contact] }, daysAgo(index * 7 + position))
  for (let n = 0; n < 6; n++) {
    const deal = await newDeal(acme, {
      primary_contact_id: contacts[n % 3],
      amount: euros(`${1_000 + n * 7}.${10 + n}`),
    })
    await acme.member.post(`${url}${deal.id}/contacts`, { contact_id: contacts[(n + 1) % 3] })
    if (n % 2) await win(acme, deal.id)
  }

  await attributeDeals(app)

  const { rows } = await acme.sql(
    `select deal.amount_base_minor::integer as amount, sum(first_minor)::integer as first, sum(last_minor)::integer as last,
       sum(linear_minor)::integer as linear, count(*)::integer as touches, max(touch.of) as of
     from marketing.opportunity_touches touch join crm.opportunities deal on deal.id = touch.opportunity_id
     where touch.tenant_id = $1 group by deal.id, deal.amount_base_minor`,
    [acme.id],
  )
  assert.equal(rows.length, 6)
  for (const { amount, first, last, linear, touches, of } of rows)
    assert.deepEqual([first, last, linear, touches], [amount, amount, amount, of])
})
