import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { newActiveCadence, newCadence, updateCadence } from '../cadences/cadences/cadences.fixture.ts'
import { type Acme, addMembers, addResponse, newCampaign, newLead } from '../campaigns/campaigns/campaigns.fixture.ts'

const { tenant, clock } = await startTestApp()
const daysAgo = (days: number) => new Date(clock.now().getTime() - days * 86_400_000).toISOString()
const audienceOf = async (user: Pick<Acme['member'], 'get'>) => (await user.get('/api/home')).body.audience

async function newActiveCampaign(acme: Acme, more: object = {}) {
  const campaign = await newCampaign(acme, { owner_id: acme.member.userId, ...more })
  const { status, body } = await acme.manager.patch(`/api/campaigns/${campaign.id}`, { status: 'active' })
  assert.equal(status, 200, JSON.stringify(body))
  return campaign
}

const namesOf = (items: { name: string }[]) => items.map(({ name }) => name)

test('a marketer sees own active campaigns with the members and responses of seven days', async () => {
  const acme = await tenant()
  const older = await newActiveCampaign(acme, { name: 'Older', start_on: '2026-01-01' })
  await newActiveCampaign(acme, { name: 'Newer', start_on: '2026-02-01' })
  await newCampaign(acme, { name: 'Draft', owner_id: acme.member.userId })
  await newActiveCampaign(acme, { name: 'Of another user', owner_id: acme.manager.userId })
  await addMembers(acme, older.id, { lead_ids: [await newLead(acme)] })
  await addResponse(acme, older.id, { lead_ids: [await newLead(acme)] }, daysAgo(6.9))
  await addResponse(acme, older.id, { lead_ids: [await newLead(acme)] }, daysAgo(7.1))

  const { campaigns } = await audienceOf(acme.member)

  assert.deepEqual(namesOf(campaigns), ['Newer', 'Older'])
  assert.deepEqual(campaigns[1], { id: older.id, name: 'Older', added_7d: 2, responded_7d: 1 })
  assert.partialDeepStrictEqual(campaigns[0], { added_7d: 0, responded_7d: 0 })
})

test('own cadences are listed with their persons, those that the system paused first', async () => {
  const acme = await tenant()
  const campaign = await newActiveCampaign(acme)
  const paused = await newActiveCadence(acme, { name: 'Paused with its campaign', campaign_id: campaign.id })
  const running = await newActiveCadence(acme, { name: 'Running' })
  await newCadence(acme, { name: 'Draft', owner_id: acme.member.userId })
  const byHand = await newActiveCadence(acme, { name: 'Paused by hand' })
  await updateCadence(acme, byHand.id, { status: 'paused' })
  await newActiveCadence(acme, { name: 'Of another user', owner_id: acme.manager.userId })
  await acme.sql(`update marketing.cadences set status = 'paused', paused_reason = 'campaign' where id = $1`, [
    paused.id,
  ])
  for (const [measure, value] of [
    ['enrolled', 5],
    ['completed', 1],
    ['exited', 1],
  ])
    await acme.sql(
      'insert into marketing.cadence_counts (tenant_id, cadence_id, step_id, measure, value) values ($1, $2, $2, $3, $4)',
      [acme.id, running.id, measure, value],
    )

  const { cadences } = await audienceOf(acme.member)

  assert.deepEqual(cadences, [
    { id: paused.id, name: 'Paused with its campaign', live_count: 0, paused_reason: 'campaign' },
    { id: running.id, name: 'Running', live_count: 3, paused_reason: null },
  ])
})

test('the audience has at most six campaigns and cadences, belongs to the workspace, and is null without its scopes', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  for (let index = 0; index < 7; index++) {
    await newActiveCampaign(acme)
    await newActiveCadence(acme)
  }
  const keyFor = async (scopes: string[]) => {
    const { body } = await acme.member.post('/api/api-keys', { name: scopes.join(), scopes })
    return acme.bearer(`ApiKey ${body.key}`)
  }

  const { campaigns, cadences } = await audienceOf(acme.member)

  assert.deepEqual([campaigns.length, cadences.length], [6, 6])
  for (const user of [acme.viewer, other.member])
    assert.deepEqual(await audienceOf(user), { campaigns: [], cadences: [] })
  assert.equal(await audienceOf(await keyFor(['campaigns.read'])), null)
  assert.equal((await audienceOf(await keyFor(['campaigns.read', 'cadences.read']))).campaigns.length, 6)
})
