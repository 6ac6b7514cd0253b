import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import {
  type Acme,
  addMembers,
  addResponse,
  getCampaign,
  listMembers,
  newCampaign,
  newLead,
} from '../campaigns/campaigns.fixture.ts'

const { tenant } = await startTestApp()

const stateOf = async (acme: Acme, campaignId: string) =>
  (await listMembers(acme, campaignId)).map(
    (member: { lead: { id: string }; status: string; first_touched_at: string; responded_at: string | null }) => [
      member.lead.id,
      member.status,
      member.first_touched_at,
      member.responded_at,
    ],
  )
const counters = async (acme: Acme, id: string) => {
  const { member_count, responded_count } = await getCampaign(acme, id)
  return [member_count, responded_count]
}

test('members follow a merge of leads and its undo', async () => {
  const acme = await tenant()
  const [shared, own] = [await newCampaign(acme), await newCampaign(acme)]
  const [primary, duplicate] = [await newLead(acme), await newLead(acme)]
  await addMembers(acme, shared.id, { lead_ids: [primary] })
  await addResponse(acme, shared.id, { lead_ids: [duplicate] }, '2026-01-02T00:00:00.000Z')
  await addMembers(acme, own.id, { lead_ids: [duplicate], status: 'sent' })
  const before = [await stateOf(acme, shared.id), await stateOf(acme, own.id)]

  const { status, body } = await acme.manager.post(`/api/leads/${primary}/merge`, { duplicate_ids: [duplicate] })
  const merged = [await stateOf(acme, shared.id), await stateOf(acme, own.id)]
  const mergedCounters = [await counters(acme, shared.id), await counters(acme, own.id)]
  const undone = await acme.manager.post(`/api/leads/merges/${body.merge_id}/undo`)

  assert.deepEqual([status, undone.status], [200, 200])
  const day = '2026-01-02T00:00:00.000Z'
  assert.deepEqual(merged[0], [[primary, 'clicked', day, day]])
  assert.deepEqual([merged[1].length, merged[1][0][0]], [1, primary])
  assert.deepEqual(mergedCounters, [
    [1, 1],
    [1, 0],
  ])
  assert.deepEqual([await stateOf(acme, shared.id), await stateOf(acme, own.id)], before)
  assert.deepEqual(await counters(acme, shared.id), [2, 1])
})

test('a lead that is merged into a converted one becomes a member row of its contact', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const [primary, duplicate] = [await newLead(acme, { company: 'Initech' }), await newLead(acme)]
  const { body } = await acme.manager.post(`/api/leads/${primary}/convert`, {})
  await addMembers(acme, id, { lead_ids: [duplicate] })

  const merge = await acme.manager.post(`/api/leads/${primary}/merge`, { duplicate_ids: [duplicate] })

  assert.equal(merge.status, 200)
  const [member, ...others] = await listMembers(acme, id, 'contacts')
  assert.deepEqual([member.contact.id, member.lead.id, others.length], [body.contact.id, primary, 0])
})

test('members of merged contacts become one row with the earliest touch and the response', async () => {
  const acme = await tenant()
  const [shared, own] = [await newCampaign(acme), await newCampaign(acme)]
  const create = async () => (await acme.manager.post('/api/contacts/', { last_name: 'Moss' })).body.id as string
  const [primary, duplicate] = [await create(), await create()]
  await addMembers(acme, shared.id, { contact_ids: [primary] })
  await addResponse(acme, shared.id, { contact_ids: [duplicate] }, '2026-01-02T00:00:00.000Z')
  await addMembers(acme, own.id, { contact_ids: [duplicate] })

  const { status } = await acme.manager.post(`/api/contacts/${primary}/merge`, { duplicate_ids: [duplicate] })

  assert.equal(status, 200)
  const [member, ...others] = await listMembers(acme, shared.id)
  assert.deepEqual([member.contact.id, member.status, others.length], [primary, 'clicked', 0])
  assert.equal(member.responded_at, '2026-01-02T00:00:00.000Z')
  assert.equal((await listMembers(acme, own.id))[0].contact.id, primary)
  assert.deepEqual(await counters(acme, shared.id), [1, 1])
})

test('a member without a person is hidden', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const lead = await newLead(acme)
  await addMembers(acme, id, { lead_ids: [lead] })

  await acme.sql('delete from crm.leads where id = $1', [lead])

  assert.deepEqual(await listMembers(acme, id), [])
  assert.deepEqual(await counters(acme, id), [0, 0])
})
