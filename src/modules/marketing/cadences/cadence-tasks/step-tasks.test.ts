import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'
import { cadenceActions } from '../cadence-sending/cadence-runs.fixture.ts'

const app = await startTestApp()
const acme = await app.tenant()
const globex = await app.tenant()
const actions = cadenceActions(app, acme)
const { createCadence, createLead, enroll, runDue, findEnrollment, listRunsOf, countsOf } = actions
await actions.setSending({})
await app.startTestWorker()
const days = 86_400
const url = '/api/cadences/tasks'

const listTasks = async (query = '', by = acme.member) => (await by.get(`${url}${query}`)).body.items
const taskOf = async (enrollmentId: string) =>
  (await listTasks('?limit=100')).find((task: { enrollment_id: string }) => task.enrollment_id === enrollmentId)
const statesOf = async (enrollmentId: string) =>
  (await listRunsOf(enrollmentId)).map(({ state, skip_reason }) => [state, skip_reason])

test('a call, a task and a manual email are tasks of the sender, and each leads to the next step', async () => {
  const cadence = await createCadence([
    { type: 'call', instructions: 'Ask about the budget' },
    { type: 'task' },
    { type: 'email_manual', subject_template: 'Draft' },
  ])
  const lead = await createLead({ first_name: 'Ada', email: 'ada@tasks.example' })
  const [id] = await enroll(cadence, [lead])
  await runDue()
  await runDue()

  const call = await taskOf(id!)
  assert.partialDeepStrictEqual(call, {
    type: 'call',
    instructions: 'Ask about the budget',
    assignee_id: acme.member.userId,
    cadence: { id: cadence.id },
    step: { id: cadence.stepIds[0], position: 1 },
    record: { type: 'lead', id: lead.id, name: 'Ada Moss', email: 'ada@tasks.example' },
  })
  assert.deepEqual([(await findEnrollment(id!)).next_run_at, (await listTasks('?type=task')).length], [null, 0])
  const open = (await acme.member.get('/api/activities')).body.items
  assert.ok(
    open.some((task: { id: string; source: string }) => task.id === call.activity_id && task.source === 'cadence'),
  )

  const complete = (activityId: string, body: object, by = acme.member) =>
    by.post(`${url}/${activityId}/complete`, body)
  assert.equal((await complete(call.activity_id, { outcome: 'nope' })).status, 422)
  assert.equal((await complete(call.activity_id, { sent_subject: 'Hi', sent_body: 'Hello' })).status, 422)
  assert.equal((await complete(call.activity_id, {}, await acme.person('member'))).status, 403)
  assert.equal((await complete(call.activity_id, {}, globex.admin)).status, 404)
  assert.equal((await complete(call.activity_id, {}, acme.viewer)).status, 403)
  const called = await complete(call.activity_id, { outcome: 'connected', body: 'Has a budget' })
  assert.deepEqual([called.status, called.body.state], [200, 'done'])
  assert.equal((await complete(call.activity_id, { outcome: 'connected' })).status, 409)
  const logged = (await acme.member.get(`/api/leads/${lead.id}/activities?type=call`)).body.items
  assert.partialDeepStrictEqual(logged, [{ outcome: 'connected', body: 'Has a budget', source: 'cadence' }])

  await runDue()
  const task = await taskOf(id!)
  const closed = await acme.member.patch(`/api/leads/${lead.id}/activities/${task.activity_id}`, {
    completed_at: app.clock.now().toISOString(),
  })
  assert.equal(closed.status, 200, 'a task can also be completed in the timeline')
  await runDue()
  const manual = await taskOf(id!)
  assert.deepEqual([manual.type, manual.subject_template], ['email_manual', 'Draft'])
  assert.equal((await complete(manual.activity_id, { sent_body: 'Hello' })).status, 422)
  const written = await complete(manual.activity_id, { sent_subject: 'My {{ offer }}', sent_body: 'Dear Ada' })
  assert.equal(written.body.state, 'waiting')
  await runDue()
  const [mail] = await app.mails('ada@tasks.example', 1)
  assert.deepEqual([mail!.subject, mail!.text!.split('\n')[0]], ['My {{ offer }}', 'Dear Ada'])
  await actions.waitForEnrollment(id!, 'completed')
  await waitUntil(async () => (await countsOf(cadence)).completed === 1)
  assert.partialDeepStrictEqual(await countsOf(cadence), { tasks_done: 2, sent: 1, completed: 1 })
})

test('a skipped task, one that is not done in time and a call to a person who must not be called lead to the next step', async () => {
  const cadence = await createCadence([{ type: 'call' }, { type: 'task', auto_skip_after_days: 3 }, { type: 'task' }])
  const lead = await createLead({ phone: '+4930123456' })
  const quiet = await createLead({ phone: '+4930123457' })
  await acme.member.put(`/api/leads/${quiet.id}/consent`, { call_status: 'do_not_call', basis: 'none', source: 'call' })
  const [id, quietId] = await enroll(cadence, [lead, quiet])
  await runDue()
  await runDue()

  assert.deepEqual((await statesOf(quietId!))[0], ['skipped', 'do_not_call'])
  const call = await taskOf(id!)
  const skipped = await acme.manager.post(`${url}/${call.activity_id}/skip`)
  assert.deepEqual([skipped.status, skipped.body.state], [200, 'skipped'])
  const activity = (await acme.member.get(`/api/leads/${lead.id}/activities?type=task`)).body.items[0]
  assert.deepEqual([activity.outcome, activity.completed_at !== null], ['skipped', true])
  await runDue()
  const task = await taskOf(id!)
  await actions.advance(3 * days + 1)
  await runDue()
  await runDue()
  assert.deepEqual((await statesOf(id!)).slice(0, 2), [
    ['skipped', 'skipped_by_user'],
    ['skipped', 'not_done_in_time'],
  ])
  assert.notEqual((await taskOf(id!)).activity_id, task.activity_id)
  assert.equal((await countsOf(cadence)).tasks_skipped, 3)
})

test('a meeting that was held ends the enrollment and closes the open task, and a deleted task counts as skipped', async () => {
  const cadence = await createCadence([{ type: 'task' }, {}])
  const lead = await createLead({ email: 'meet@tasks.example' })
  const [id] = await enroll(cadence, [lead])
  await runDue()
  const task = await taskOf(id!)
  const deleted = await createLead({})
  const [other] = await enroll(cadence, [deleted])
  await runDue()
  const removed = await taskOf(other!)

  await acme.member.post(`/api/leads/${lead.id}/activities`, { type: 'meeting', outcome: 'held' })
  await acme.manager.delete(`/api/leads/${deleted.id}/activities/${removed.activity_id}`)

  const ended = await findEnrollment(id!)
  assert.deepEqual([ended.status, ended.exit_reason], ['exited', 'meeting_booked'])
  assert.deepEqual((await statesOf(id!))[0], ['skipped', 'enrollment_ended'])
  assert.equal(await taskOf(id!), undefined)
  await waitUntil(async () => {
    const { items } = (await acme.member.get(`/api/leads/${lead.id}/activities?type=task`)).body
    return items[0].id === task.activity_id && items[0].outcome === 'skipped'
  })
  assert.equal((await findEnrollment(other!)).current_step_id, cadence.stepIds[1])
  assert.deepEqual((await statesOf(other!))[0], ['skipped', 'task_deleted'])
  const { tasks_done = 0, tasks_skipped } = await countsOf(cadence)
  assert.deepEqual([tasks_done, tasks_skipped], [0, 1])
})

test('a sender who is deactivated pauses the enrollments, and one who is away has no runs before the return', async () => {
  const cadence = await createCadence([{ type: 'task' }])
  const [leaving, away] = [await acme.person('member'), await acme.person('member')]
  const leads = [await createLead({}), await createLead({})]
  const [id] = await enroll(cadence, [leads[0]!], leaving.userId)
  const day = (offset: number) => new Date(app.clock.now().getTime() + offset * days * 1_000).toISOString().slice(0, 10)
  assert.equal((await acme.admin.patch(`/api/users/${leaving.userId}`, { status: 'deactivated' })).status, 200)
  assert.equal((await actions.waitForEnrollment(id!, 'paused')).paused_reason, 'sender_deactivated')

  const settings = { away_from: day(-1), away_to: day(4) }
  assert.equal((await away.put('/api/cadences/sender-settings', settings)).status, 200)
  const [late] = await enroll(cadence, [leads[1]!], away.userId)
  const [run] = await listRunsOf(late!)
  assert.equal(run.run_at.toISOString().slice(0, 10), day(5))
})
