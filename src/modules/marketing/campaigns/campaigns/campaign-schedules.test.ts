import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp } from '#testing'
import { createIntegrityRunner } from '../../../operations/integrity/integrity.fixture.ts'
import { checkCampaignsSchedule } from '../campaign-members/check-campaigns.jobs.ts'
import { advanceCampaignsSchedule, foldCampaignCountsSchedule } from './campaign-schedules.jobs.ts'
import {
  type Acme,
  addMembers,
  campaignsUrl,
  getCampaign,
  newCampaign,
  newLead,
  updateCampaign,
} from './campaigns.fixture.ts'

const { tenant, db, systemDb, services } = await startTestApp()
const { find, assertRepairs } = createIntegrityRunner(services)

const breakCounter = (acme: Acme, id: string) =>
  acme.sql('update marketing.campaign_counts set members = members + 3 where campaign_id = $1', [id])

test('identity-10-14 a broken counter is found, a dry run changes nothing, and a repair corrects it', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [own, foreign] = [await newCampaign(acme), await newCampaign(other)]
  await addMembers(acme, own.id, { lead_ids: [await newLead(acme)] })
  await addMembers(other, foreign.id, { lead_ids: [await newLead(other)] })
  await breakCounter(acme, own.id)
  await breakCounter(other, foreign.id)
  assert.equal((await getCampaign(acme, own.id)).member_count, 4)

  await assertRepairs(acme.id, 'counter_drift', [own.id])

  assert.equal((await getCampaign(acme, own.id)).member_count, 1)
  assert.deepEqual(await find(other.id, 'counter_drift'), [foreign.id])
})

test('the nightly check corrects and logs counters, and deletes members of purged persons', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  const lead = await newLead(acme)
  await addMembers(acme, id, { lead_ids: [lead, await newLead(acme)] })
  await acme.sql('delete from crm.leads where id = $1', [lead])
  await breakCounter(acme, id)
  const errors: object[] = []

  await runTenantSchedule({ db, systemDb }, checkCampaignsSchedule(services), (fields) => errors.push(fields))

  assert.ok(errors.length)
  assert.equal((await getCampaign(acme, id)).member_count, 1)
  const { rowCount } = await acme.sql('select from marketing.campaign_members where campaign_id = $1', [id])
  assert.equal(rowCount, 1)
})

test('the nightly check counts only campaigns whose counters have changed, and not the attribution of deals', async () => {
  const acme = await tenant()
  const [changed, old] = [await newCampaign(acme), await newCampaign(acme)]
  for (const { id } of [changed, old]) {
    await addMembers(acme, id, { lead_ids: [await newLead(acme)] })
    await breakCounter(acme, id)
  }
  await acme.sql(`update marketing.campaign_counts set changed_at = now() - interval '3 days' where campaign_id = $1`, [
    old.id,
  ])

  await runTenantSchedule({ db, systemDb }, checkCampaignsSchedule(services))

  assert.equal((await getCampaign(acme, changed.id)).member_count, 1)
  assert.equal((await getCampaign(acme, old.id)).member_count, 4)
})

test('a campaign with a past end is reactivated only with a later end', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme, { start_on: '2020-01-01', end_on: '2099-01-01' })
  await updateCampaign(acme, id, { status: 'active' })
  await updateCampaign(acme, id, { status: 'completed', end_on: '2020-02-01' })
  const patch = (changes: object) => acme.manager.patch(`${campaignsUrl}${id}`, changes)

  const refused = await patch({ status: 'active' })
  const stillPast = await patch({ status: 'active', end_on: '2020-03-01' })
  const reactivated = await patch({ status: 'active', end_on: '2099-03-01' })
  await runTenantSchedule({ db, systemDb }, advanceCampaignsSchedule(services))

  assert.deepEqual([refused.status, refused.body.errors[0].path], [422, '/end_on'])
  assert.equal(stillPast.status, 422)
  assert.equal(reactivated.status, 200)
  assert.equal((await getCampaign(acme, id)).status, 'active')
})

test('the base currency cannot change once a campaign has an amount', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme, { budget: { amount: '4000.00', currency: 'EUR' } })
  const change = () => acme.admin.patch('/api/admin/settings', { general: { currency: 'JPY' } })

  const refused = await change()
  await updateCampaign(acme, id, { budget: null })
  const changed = await change()

  assert.deepEqual([refused.status, refused.body.code], [409, 'currency_in_use'])
  assert.equal(changed.status, 200)
})

test('count rows are replaced by their sums', async () => {
  const acme = await tenant()
  const { id } = await newCampaign(acme)
  for (let n = 0; n < 3; n++) await addMembers(acme, id, { lead_ids: [await newLead(acme)], status: 'sent' })

  await runTenantSchedule({ db, systemDb }, foldCampaignCountsSchedule)

  const { rows } = await acme.sql('select members, is_delta from marketing.campaign_counts where campaign_id = $1', [
    id,
  ])
  assert.deepEqual(rows, [{ members: 3, is_delta: false }])
  assert.equal((await getCampaign(acme, id)).member_count, 3)
})

test('campaigns start and end with the days of the workspace', async () => {
  const acme = await tenant()
  const [starting, ending, later] = [await newCampaign(acme), await newCampaign(acme), await newCampaign(acme)]
  for (const { id } of [starting, later])
    await updateCampaign(acme, id, { status: 'scheduled', start_on: '2099-06-15' })
  await updateCampaign(acme, ending.id, { status: 'active', start_on: '2020-01-01', end_on: '2099-06-14' })
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Pacific/Auckland' } })
  const run = (now: string) =>
    runTenantSchedule({ db, systemDb }, advanceCampaignsSchedule({ clock: { now: () => new Date(now) } }))
  const statuses = () =>
    Promise.all([starting, ending, later].map(async ({ id }) => (await getCampaign(acme, id)).status))
  await updateCampaign(acme, later.id, { start_on: '2099-06-16' })

  await run('2099-06-14T11:30:00Z')
  const before = await statuses()
  await run('2099-06-14T12:30:00Z')

  assert.deepEqual(before, ['scheduled', 'active', 'scheduled'])
  assert.deepEqual(await statuses(), ['active', 'completed', 'scheduled'])
  const changes = (await acme.events()).filter((type) => type === 'campaign.status_changed')
  assert.equal(changes.length, 5)
})
