import assert from 'node:assert/strict'
import { test } from 'node:test'
import { runTenantSchedule, startTestApp, waitForTask, waitForValue } from '#testing'
import { advanceCampaignsSchedule } from '../../campaigns/campaigns/campaign-schedules.jobs.ts'
import { newCampaign } from '../../campaigns/campaigns/campaigns.fixture.ts'
import { cadenceActions } from './cadence-runs.fixture.ts'

const app = await startTestApp()
const acme = await app.tenant()
const actions = cadenceActions(app, acme)
const { createCadence, createLead, enroll, runDue, findEnrollment, listRunsOf, waitForRun } = actions
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

const noticesOf = async (user: typeof acme.member, kind: string) =>
  (await user.get('/api/auth/notifications?limit=100')).body.items.filter((one: { kind: string }) => one.kind === kind)
const setUserStatus = async (userId: string, changes: object) =>
  assert.equal((await acme.admin.patch(`/api/users/${userId}`, changes)).status, 200)
const enrollmentUrl = ({ id }: { id: string }, enrollmentId: string) =>
  `/api/cadences/${id}/enrollments/${enrollmentId}`
const tasksOf = async (userId: string) =>
  (await acme.manager.get(`/api/cadences/tasks?assignee_id=${userId}`)).body.items
const senderOf = async (id: string) => {
  const { sender_id, status, paused_reason } = await findEnrollment(id)
  return [sender_id, paused_reason ?? status]
}

test('enrollments of a sender who leaves are paused with a notice and continue with another one, who gets the open task', async () => {
  const [leaving, successor] = [await acme.person('member'), await acme.person('member')]
  const mails = await createCadence([{}, { delay_days: 1 }])
  const calls = await createCadence([{ type: 'task' }, {}])
  await acme.sql('update marketing.cadences set owner_id = null where tenant_id = $1 and id = $2', [acme.id, calls.id])
  const leads = [
    await createLead({ email: 'one@left.example' }),
    await createLead({ email: 'two@left.example' }),
  ] as const
  const [id] = await enroll(mails, [leads[0]], leaving.userId)
  const [called] = await enroll(calls, [leads[1]], leaving.userId)
  await runDue()
  await waitForRun(id!, 1, 'done')
  const [task] = await tasksOf(leaving.userId)

  await setUserStatus(leaving.userId, { status: 'deactivated' })
  await actions.waitForEnrollment(id!, 'paused')
  await actions.waitForEnrollment(called!, 'paused')
  const [notice] = await noticesOf(acme.member, 'cadence.enrollments_paused')
  const [ofManager] = await noticesOf(acme.manager, 'cadence.enrollments_paused')
  const [mail] = await app.mails('one@left.example', 1)
  const url = enrollmentUrl(mails, id!)
  const resumed = await acme.manager.patch(url, { status: 'active' })
  const unknown = await acme.manager.patch(url, { sender_id: called })
  const changed = await acme.manager.patch(url, { sender_id: successor.userId })
  const reassigned = await acme.manager.post(`/api/cadences/${calls.id}/enrollments/reassign`, {
    from_sender_id: leaving.userId,
    to_sender_id: successor.userId,
  })
  const moved = await tasksOf(successor.userId)
  await actions.advance(86_400)
  await runDue()
  const [, second] = await app.mails('one@left.example', 2)
  await setUserStatus(successor.userId, { status: 'deactivated' })
  await actions.reportEmail({ kind: 'reply', in_reply_to: mail!.messageId, from: 'one@left.example' })

  assert.match(notice.body, /A person is paused, because their sender is not active/)
  assert.equal(notice.resource_id, mails.id)
  assert.equal(ofManager.resource_id, calls.id, 'a cadence without an owner')
  assert.deepEqual([resumed.status, resumed.body.code], [409, 'no_sender'])
  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/sender_id'])
  assert.partialDeepStrictEqual(changed.body, {
    status: 'active',
    paused_reason: null,
    sender: { id: successor.userId },
  })
  assert.deepEqual([reassigned.status, reassigned.body], [200, { reassigned: 1 }])
  assert.deepEqual(
    moved.map((one: { activity_id: string; assignee_id: string }) => [one.activity_id, one.assignee_id]),
    [[task.activity_id, successor.userId]],
  )
  const { items: open } = (await acme.manager.get(`/api/activities?assignee_id=${successor.userId}`)).body
  assert.deepEqual([open.length, open[0].id], [1, task.activity_id])
  assert.equal(second!.replyTo!.text, successor.email)
  assert.equal((await noticesOf(acme.member, 'cadence.replied')).length, 1, 'the sender of the email left, too')
})

test('a reactivated sender continues what the deactivation paused, and nothing else', async () => {
  const leaving = await acme.person('member')
  const cadence = await createCadence([{ delay_days: 1 }])
  const leads = [await createLead({}), await createLead({}), await createLead({}), await createLead({})]
  const [active, byHand, ended, given] = await enroll(cadence, leads, leaving.userId)
  await acme.manager.patch(enrollmentUrl(cadence, byHand!), { status: 'paused' })
  await acme.manager.patch(enrollmentUrl(cadence, ended!), { status: 'exited' })

  await setUserStatus(leaving.userId, { status: 'deactivated' })
  for (const id of [active!, given!]) await actions.waitForEnrollment(id, 'paused')
  await acme.manager.patch(enrollmentUrl(cadence, given!), { sender_id: acme.member.userId, status: 'paused' })
  const endedSender = await acme.manager.patch(enrollmentUrl(cadence, ended!), { sender_id: acme.member.userId })
  await setUserStatus(leaving.userId, { status: 'active' })
  await actions.waitForEnrollment(active!, 'active')

  assert.notEqual((await findEnrollment(active!)).next_run_at, null)
  assert.deepEqual(await senderOf(byHand!), [leaving.userId, 'manual'])
  assert.deepEqual(await senderOf(given!), [acme.member.userId, 'manual'])
  assert.deepEqual([endedSender.status, endedSender.body.code], [409, 'invalid_transition'])
})

test('the successor of a deactivated user becomes the sender, without the text that the user wrote', async () => {
  const [leaving, successor, colleague] = [
    await acme.person('member'),
    await acme.person('member'),
    await acme.person('member'),
  ]
  const cadence = await createCadence([{ type: 'email_manual', subject_template: 'Draft' }])
  const leads = [await createLead({ email: 'written@left.example' }), await createLead({}), await createLead({})]
  const [written, paused, others] = await enroll(cadence, leads, leaving.userId)
  await acme.sql('update marketing.cadence_enrollments set sender_id = $3 where tenant_id = $1 and id = $2', [
    acme.id,
    others,
    colleague.userId,
  ])
  await runDue()
  const task = (await tasksOf(leaving.userId)).find((one: { enrollment_id: string }) => one.enrollment_id === written)
  const text = { sent_subject: 'From me', sent_body: 'Yours, the one who leaves' }
  assert.equal((await acme.manager.post(`/api/cadences/tasks/${task.activity_id}/complete`, text)).status, 200)
  await acme.manager.patch(enrollmentUrl(cadence, paused!), { status: 'paused' })

  await setUserStatus(leaving.userId, { status: 'deactivated', reassign_to_user_id: successor.userId })
  await waitForValue(
    () => Promise.all([senderOf(written!), senderOf(paused!)]),
    (senders) => senders.every(([sender]) => sender === successor.userId),
  )
  await runDue()
  const { items } = (await acme.manager.get(`/api/cadences/tasks?assignee_id=${successor.userId}`)).body

  assert.deepEqual(await senderOf(paused!), [successor.userId, 'manual'])
  assert.deepEqual(await senderOf(others!), [colleague.userId, 'active'])
  assert.deepEqual(items.map((one: { enrollment_id: string }) => one.enrollment_id).sort(), [written!, paused!].sort())
  assert.equal((await app.mails('written@left.example')).length, 0)
})

test('more than 200 enrollments get another sender by a task', async () => {
  const [from, to] = [await acme.person('member'), await acme.person('member')]
  const cadence = await createCadence([{ delay_days: 1 }])
  const { rows: leads } = await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_at, created_on)
     select $1, gen_random_uuid(), 'Moss', 'import', ' moss', now(), current_date from generate_series(1, 201) returning id`,
    [acme.id],
  )
  await enroll(cadence, leads, from.userId)
  const url = `/api/cadences/${cadence.id}/enrollments/reassign`
  const reassign = (from_sender_id: string | null, to_sender_id: string) =>
    acme.manager.post(url, { from_sender_id, to_sender_id })

  const started = await reassign(from.userId, to.userId)
  const task = await waitForTask(acme, started.body)
  const unknown = await reassign(cadence.id, to.userId)
  const foreign = await (await app.tenant()).manager.post(url, { from_sender_id: to.userId, to_sender_id: from.userId })
  const byViewer = await acme.viewer.post(url, { from_sender_id: to.userId, to_sender_id: from.userId })

  assert.deepEqual([started.status, task.state, task.result], [202, 'succeeded', { reassigned: 201 }])
  assert.deepEqual([unknown.status, foreign.status, byViewer.status], [422, 404, 403])
  assert.deepEqual((await reassign(from.userId, to.userId)).body, { reassigned: 0 })
})
