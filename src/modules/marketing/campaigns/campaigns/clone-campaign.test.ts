import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { campaignsUrl, newCampaign } from './campaigns.fixture.ts'

const { tenant } = await startTestApp()

test('a clone is a draft of the caller with the plan of the campaign, but without its dates, cost, key and members', async () => {
  const acme = await tenant()
  const parent = await newCampaign(acme)
  const plan = {
    type: 'webinar',
    description: 'Three sessions',
    budget: { amount: '1000.00', currency: 'EUR' },
    expected_revenue: { amount: '9000.00', currency: 'EUR' },
    expected_responses: 40,
    parent_campaign_id: parent.id,
    member_statuses: [
      { key: 'asked', label: 'Asked', is_response: false },
      { key: 'came', label: 'Came', is_response: true },
    ],
    tags: ['Spring'],
  }
  const original = await newCampaign(acme, {
    ...plan,
    start_on: '2026-01-01',
    end_on: '2026-02-01',
    actual_cost: { amount: '5.00', currency: 'EUR' },
    utm_campaign: 'spring',
    owner_id: acme.manager.userId,
  })
  const { body: lead } = await acme.member.post('/api/leads/', { last_name: 'Moss' })
  await acme.member.post(`${campaignsUrl}${original.id}/members`, { lead_ids: [lead.id] })
  await acme.manager.patch(`${campaignsUrl}${original.id}`, { status: 'active' })

  const { status, body } = await acme.member.post(`${campaignsUrl}${original.id}/clone`, { name: 'Spring again' })

  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, {
    ...plan,
    name: 'Spring again',
    status: 'draft',
    owner_id: acme.member.userId,
    created_by: acme.member.userId,
    start_on: null,
    end_on: null,
    actual_cost: null,
    utm_campaign: null,
    member_count: 0,
    version: 1,
  })
  assert.deepEqual((await acme.viewer.get(`${campaignsUrl}?tag=Spring`)).body.items.length, 2)
})

test('a clone needs a free name, the right to write campaigns and a campaign of the workspace', async () => {
  const acme = await tenant()
  const { id, name } = await newCampaign(acme)
  const clone = (by: typeof acme.member, body: object) => by.post(`${campaignsUrl}${id}/clone`, body)

  const taken = await clone(acme.member, { name })
  const unnamed = await clone(acme.member, {})
  const viewer = await clone(acme.viewer, { name: 'Other' })
  const foreign = await clone((await tenant()).member, { name: 'Other' })

  assert.deepEqual([taken.status, taken.body.existing_id], [409, id])
  assert.deepEqual([unnamed.status, viewer.status, foreign.status], [422, 403, 404])
})
