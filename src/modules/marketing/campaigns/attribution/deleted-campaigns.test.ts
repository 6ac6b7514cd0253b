import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { runTenantSchedule, startTestApp, waitUntil } from '#testing'
import { euros, newContact, newDeal, url } from '../../../crm/deals/opportunities/opportunities.fixture.ts'
import { removeSampleCampaigns } from '../../sample-data/remove-sample.service.ts'
import { addMembers, addResponse, campaignsUrl, listMembers, newCampaign } from '../campaigns/campaigns.fixture.ts'
import { attributeDeals, creditOf, daysAgo, win } from './attribution.fixture.ts'
import { refreshTouchesSchedule } from './mark-deals.jobs.ts'

const app = await startTestApp()
const { tenant, db, startTestWorker } = app

test('a campaign of a closed deal cannot be deleted, also without members, and its credit stays', async () => {
  const acme = await tenant()
  const [draft, other, contact] = [await newCampaign(acme), await newCampaign(acme), await newContact(acme)]
  const deal = await newDeal(acme, { primary_contact_id: contact, amount: euros('300') })
  await addResponse(acme, draft.id, { contact_ids: [contact] }, daysAgo(3))
  await addResponse(acme, other.id, { contact_ids: [contact] }, daysAgo(2))
  await win(acme, deal.id)
  await attributeDeals(app)

  const refused = await acme.manager.delete(`${campaignsUrl}${draft.id}`)
  const [member] = await listMembers(acme, draft.id)
  await acme.member.delete(`${campaignsUrl}${draft.id}/members/${member.id}`)
  const withoutMembers = await acme.manager.delete(`${campaignsUrl}${draft.id}`)
  await attributeDeals(app)

  assert.deepEqual([refused.status, refused.body.code], [409, 'campaign_has_closed_deals'])
  assert.equal(withoutMembers.status, 409)
  assert.deepEqual(await creditOf(acme, draft.id), ['1/2 300.00 0.00 150.00'])
  assert.deepEqual(await creditOf(acme, other.id), ['2/2 0.00 300.00 150.00'])
})

test('the other campaigns of an open deal get the shares of a deleted draft', async () => {
  const acme = await tenant()
  const [draft, other, contact] = [await newCampaign(acme), await newCampaign(acme), await newContact(acme)]
  await newDeal(acme, { primary_contact_id: contact, amount: euros('300') })
  await addResponse(acme, draft.id, { contact_ids: [contact] }, daysAgo(3))
  await addResponse(acme, other.id, { contact_ids: [contact] }, daysAgo(2))
  await attributeDeals(app)

  const deleted = await acme.manager.delete(`${campaignsUrl}${draft.id}`)
  await attributeDeals(app)

  assert.equal(deleted.status, 204)
  assert.deepEqual(await creditOf(acme, other.id), ['1/1 300.00 300.00 300.00'])
})

test('sample campaigns are removed, except for those with a share of a closed deal of users', async () => {
  const acme = await tenant()
  const [unused, shared, own, contact] = [
    await newCampaign(acme),
    await newCampaign(acme),
    await newCampaign(acme),
    await newContact(acme),
  ]
  const [won, sample] = [await newDeal(acme, { amount: euros('300') }), await newDeal(acme, { amount: euros('100') })]
  const open = await newDeal(acme, { amount: euros('200') })
  const roles = [
    [won, contact, shared],
    [open, await newContact(acme, 'Roy'), unused],
    [sample, await newContact(acme, 'Jen'), unused],
  ] as const
  for (const [deal, contact_id, campaign] of roles) {
    await acme.member.post(`${url}${deal.id}/contacts`, { contact_id })
    await addResponse(acme, campaign.id, { contact_ids: [contact_id] }, daysAgo(4))
    await addResponse(acme, own.id, { contact_ids: [contact_id] }, daysAgo(3))
  }
  await win(acme, won.id)
  await win(acme, sample.id)
  await attributeDeals(app)
  const records = [
    { resource_type: 'campaign', id: unused.id },
    { resource_type: 'campaign', id: shared.id },
    { resource_type: 'opportunity', id: sample.id },
  ]

  const run = {
    tenantId: acme.id,
    signal: new AbortController().signal,
    inTenant: <T>(work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(acme.id), work),
  }

  const kept = await removeSampleCampaigns(run, records)
  await attributeDeals(app)

  assert.deepEqual(kept, [{ resource_type: 'campaign', id: shared.id }])
  assert.equal((await acme.member.get(`${campaignsUrl}${unused.id}`)).status, 404)
  assert.deepEqual(await creditOf(acme, shared.id), ['1/2 300.00 0.00 150.00'])
  assert.ok((await creditOf(acme, own.id)).includes('1/1 200.00 200.00 200.00'))
})

test('segments that use a deleted campaign are invalid, and flows into it are stopped', async () => {
  const acme = await tenant()
  const campaign = await newCampaign(acme)
  const addSegment = async (name: string, rules: object) =>
    (await acme.member.post('/api/segments', { object_type: 'lead', name, rules })).body.id as string
  const segment = await addSegment('Members', { all: [{ not: { fact: 'campaign', campaign_id: campaign.id } }] })
  const above = await addSegment('Of them', { fact: 'segment', segment_id: segment })
  const source = await addSegment('Source', { field: 'last_name', op: 'eq', value: 'Moss' })
  const target = { target_type: 'campaign', target_id: campaign.id, mode: 'continuous' }
  await acme.member.post(`/api/segments/${source}/enroll`, target)

  const deleted = await acme.member.delete(`${campaignsUrl}${campaign.id}`)
  const { body } = await acme.viewer.get(`/api/segments/${segment}`)
  const [flow] = (await acme.viewer.get(`/api/segments/${source}/flows`)).body.items
  const worker = await startTestWorker()
  await waitUntil(async () => (await acme.viewer.get(`/api/segments/${above}`)).body.state === 'invalid')
  await worker.stop()

  assert.equal(deleted.status, 204)
  assert.equal(body.state, 'invalid')
  assert.deepEqual(
    body.problems.map(({ path, code }: { path: string; code: string }) => `${path} ${code}`),
    ['/all/0/not/campaign_id unknown_reference'],
  )
  assert.deepEqual([flow.is_active, flow.last_error], [false, 'The campaign was deleted.'])
  assert.ok((await acme.events()).includes('segment.flow_stopped'))
})

test('another basis or window reaches open deals without touches, but no closed ones', async () => {
  const acme = await tenant()
  const [campaign, contact] = [await newCampaign(acme), await newContact(acme)]
  const closed = await newDeal(acme, { primary_contact_id: contact, amount: euros('50') })
  await newDeal(acme, { primary_contact_id: contact, amount: euros('70') })
  await addMembers(acme, campaign.id, { contact_ids: [contact] })
  await win(acme, closed.id)
  await attributeDeals(app)
  const before = await creditOf(acme, campaign.id)

  await acme.manager.put('/api/leads/settings', { attribution: { basis: 'member' } })
  const worker = await startTestWorker()
  await waitUntil(async () => {
    await attributeDeals(app)
    return (await creditOf(acme, campaign.id)).length > 0
  })
  await worker.stop()

  assert.deepEqual([before, await creditOf(acme, campaign.id)], [[], ['1/1 70.00 70.00 70.00']])
})

test('the nightly schedule follows exchange rates', async () => {
  const acme = await tenant()
  const setRate = (rate: string) => acme.manager.put('/api/leads/settings', { currency_rates: { USD: rate } })
  await setRate('0.5')
  const [campaign, contact] = [await newCampaign(acme), await newContact(acme)]
  const deal = await newDeal(acme, { primary_contact_id: contact, amount: { amount: '100.00', currency: 'USD' } })
  await addResponse(acme, campaign.id, { contact_ids: [contact] }, daysAgo(1))
  await attributeDeals(app)
  const before = await creditOf(acme, campaign.id)

  await acme.sql('update crm.opportunities set amount_base_minor = 9000 where id = $1', [deal.id])
  await runTenantSchedule(app, refreshTouchesSchedule)
  await attributeDeals(app)

  assert.deepEqual(before, ['1/1 50.00 50.00 50.00'])
  assert.deepEqual(await creditOf(acme, campaign.id), ['1/1 90.00 90.00 90.00'])
})
