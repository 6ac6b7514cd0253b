import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp, waitForValue } from '#testing'
import { advanceCampaignsSchedule } from '../campaigns/campaign-schedules.jobs.ts'
import { newCampaign } from '../campaigns/campaigns.fixture.ts'
import { cadenceActions } from './cadence-runs.fixture.ts'

const app = await startTestApp()
const acme = await app.tenant()
const actions = cadenceActions(app, acme)
const { createCadence, createLead, enroll, runDue, listRunsOf, waitForRun } = actions
await actions.setSending({})
await app.startTestWorker()

const updateCampaign = async (id: string, changes: object) =>
  assert.equal((await acme.manager.patch(`/api/campaigns/${id}`, changes)).status, 200)
const updateCadence = async ({ id }: { id: string }, changes: object) =>
  assert.equal((await acme.manager.patch(`/api/cadences/${id}`, changes)).status, 200)

async function readCadences(...cadences: { id: string }[]) {
  const responses = await Promise.all(cadences.map(({ id }) => acme.viewer.get(`/api/cadences/${id}`)))
  return responses.map(({ body }) => body.paused_reason ?? body.status)
}

test('active cadences pause with their campaign, and only those continue with it', async () => {
  const [campaign, other] = [await newCampaign(acme), await newCampaign(acme)]
  await updateCampaign(campaign.id, { status: 'active' })
  const [running, byHand, moved, unlinked, incomplete] = [
    await createCadence([{ delay_days: 1 }]),
    await createCadence([{}]),
    await createCadence([{}]),
    await createCadence([{}]),
    await createCadence([]),
  ] as const
  for (const cadence of [running, byHand, moved, incomplete]) await updateCadence(cadence, { campaign_id: campaign.id })
  await updateCadence(byHand, { status: 'paused' })
  const [id] = await enroll(running, [await createLead({ email: 'ada@campaign.example' })])
  const all = [running, byHand, moved, unlinked, incomplete]

  await updateCampaign(campaign.id, { status: 'paused' })
  const paused = await readCadences(...all)
  await updateCadence(moved, { campaign_id: other.id })
  await updateCampaign(other.id, { status: 'active' })
  const afterMove = await readCadences(moved)
  await actions.advance(2 * 86_400)
  await runDue()
  const stopped = (await listRunsOf(id!)).map(({ state, skip_reason }) => [state, skip_reason])
  await updateCampaign(campaign.id, { status: 'active' })
  const resumed = await readCadences(...all)
  await waitForRun(id!, 1, 'waiting')
  await runDue()
  await waitForRun(id!, 1, 'done')

  assert.deepEqual(paused, ['campaign', 'paused', 'campaign', 'active', 'campaign'])
  assert.deepEqual(afterMove, ['paused'])
  assert.deepEqual(stopped, [['skipped', 'paused']])
  assert.deepEqual(resumed, ['active', 'paused', 'paused', 'active', 'campaign'])
  const { body } = await acme.admin.get(`/api/admin/audit-log?resource_id=${running.id}`)
  const updates = body.items.filter(({ action }: { action: string }) => action === 'cadence.updated')
  assert.equal(updates.length, 3, 'the link, the pause and the resumption')
})

test('cadences end their pause after a completed campaign, and pause when its last day is over or it is cancelled', async () => {
  const [campaign, cancelled] = [await newCampaign(acme), await newCampaign(acme)]
  for (const { id } of [campaign, cancelled]) await updateCampaign(id, { status: 'active' })
  const [one, two] = [await createCadence([{}]), await createCadence([{}])]
  await updateCadence(one, { campaign_id: campaign.id })
  await updateCadence(two, { campaign_id: cancelled.id })
  await acme.sql(
    `update marketing.campaigns set start_on = '2020-01-01', end_on = '2020-01-02' where tenant_id = $1 and id = $2`,
    [acme.id, campaign.id],
  )

  await runTenantSchedule(app, advanceCampaignsSchedule(app.services))
  await updateCampaign(cancelled.id, { status: 'cancelled' })
  const paused = await readCadences(one, two)
  await updateCampaign(campaign.id, { status: 'active', end_on: null })
  await waitForValue(
    () => readCadences(one, two),
    (statuses) => statuses[0] === 'active',
  )

  assert.deepEqual(paused, ['campaign', 'campaign'])
  assert.deepEqual(await readCadences(two), ['campaign'])
})
