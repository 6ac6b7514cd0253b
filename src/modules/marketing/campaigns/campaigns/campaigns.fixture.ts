import assert from 'node:assert/strict'
import type { startTestApp } from '#testing'

export type Acme = Awaited<ReturnType<Awaited<ReturnType<typeof startTestApp>>['tenant']>>

export const campaignsUrl = '/api/campaigns/'

let count = 0

export async function newCampaign(acme: Acme, more: object = {}) {
  const { status, body } = await acme.member.post(campaignsUrl, { name: `Campaign ${++count}`, type: 'email', ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

export async function newLead(acme: Acme, more: object = {}): Promise<string> {
  const { status, body } = await acme.member.post('/api/leads/', { last_name: 'Moss', ...more })
  assert.equal(status, 201, JSON.stringify(body))
  return body.id
}

export async function addMembers(acme: Acme, campaignId: string, members: object) {
  const { status, body } = await acme.member.post(`${campaignsUrl}${campaignId}/members`, members)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

export async function listMembers(acme: Acme, campaignId: string, list = 'members', query = '') {
  const { status, body } = await acme.member.get(`${campaignsUrl}${campaignId}/${list}${query}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}

export async function updateMember(acme: Acme, campaignId: string, memberId: string, changes: object) {
  const { status, body } = await acme.member.patch(`${campaignsUrl}${campaignId}/members/${memberId}`, changes)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** Adds a person and moves its response to another time. */
export async function addResponse(acme: Acme, campaignId: string, members: object, at: string): Promise<void> {
  await addMembers(acme, campaignId, { ...members, status: 'clicked' })
  const [id] = Object.values(members as Record<string, string[]>)[0]!
  await acme.sql(
    `update marketing.campaign_members set first_touched_at = $3, responded_at = $3
     where campaign_id = $1 and (lead_id = $2 or contact_id = $2)`,
    [campaignId, id, at],
  )
}

export async function updateCampaign(acme: Acme, id: string, changes: object) {
  const { status, body } = await acme.manager.patch(`${campaignsUrl}${id}`, changes)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

export const getCampaign = async (acme: Acme, id: string) => (await acme.member.get(`${campaignsUrl}${id}`)).body

export const getKpis = async (acme: Acme, id: string, query = '') =>
  (await acme.member.get(`${campaignsUrl}${id}/kpis${query}`)).body
