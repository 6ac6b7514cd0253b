import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startTestApp } from '#testing'
import { listCadenceCountDrift } from '../cadence-checks/cadence-counts.queries.ts'
import { cadenceActions } from './cadence-runs.fixture.ts'
import { type DispatchedEmail, dispatchQueued } from './dispatch.fixture.ts'
import { storeUnsentEmails } from './store-results.service.ts'

const app = await startTestApp()
const { clock } = app
after(() => clock.reset())
const [hours, days] = [3_600, 86_400]
const secondsUntil = (hour: number) => {
  const now = clock.now()
  const seconds = (Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate(), hour) - now.getTime()) / 1_000
  return seconds > 0 ? seconds : seconds + days
}

async function createWorkspace(sending: object = {}) {
  const acme = await app.tenant()
  const actions = cadenceActions(app, acme)
  await actions.setSending(sending)
  return { acme, actions, dispatch: () => dispatchQueued(app, actions) }
}

for (const [name, hour] of [
  ['outside the window', 17],
  ['inside the window', 12],
] as const)
  test(`emails that waited for a mail server until a time ${name} are sent inside it, within the limits of each day and once`, async () => {
    const { actions, dispatch } = await createWorkspace({ daily_limit_per_sender: 2 })
    const window = { days: [1, 2, 3, 4, 5, 6, 7], start: '10:00', end: '14:00' }
    const cadence = await actions.createCadence([{}], { window })
    const leads = []
    for (let n = 0; n < 6; n++) leads.push(await actions.createLead({ email: `p${n}@outage.example` }))
    clock.advance(secondsUntil(12))
    const ids = await actions.enroll(cadence, leads)
    for (let day = 0; day < 3; day++) {
      if (day) clock.advance(days)
      await actions.runDue()
    }
    clock.advance((hour - 12) * hours)

    const sentPerDay: DispatchedEmail[][] = []
    for (let day = 0; day < 4; day++) {
      await actions.runDue()
      const sent = await dispatch()
      const [{ queued }] = await actions.rowsOf(
        `select count(*)::integer as queued from crm.email_messages where tenant_id = $1 and state = 'waiting'`,
      )
      assert.equal(queued, 0)
      sentPerDay.push(sent)
      clock.advance(day ? days : secondsUntil(12))
    }
    clock.reset()

    const expected = hour === 12 ? [2, 2, 2, 0] : [0, 2, 2, 2]
    assert.deepEqual(
      sentPerDay.map(({ length }) => length),
      expected,
    )
    assert.equal(new Set(sentPerDay.flat().map(({ address }) => address)).size, 6)
    const ended = await Promise.all(ids.map((id) => actions.findEnrollment(id)))
    assert.ok(ended.every(({ status }) => status === 'completed'))
  })

test('a removed step whose email waits in the queue is not sent, and the enrollment goes on with the next step', async () => {
  const { acme, actions, dispatch } = await createWorkspace()
  const cadence = await actions.createCadence([{ subject_template: 'Wrong price' }, { subject_template: 'Second' }])
  const lead = await actions.createLead({ email: 'removed@late.example' })
  const [id] = await actions.enroll(cadence, [lead])
  await actions.runDue()
  const second = { type: 'email_auto', delay_days: 0, delay_hours: 0, business_days: false, reply_in_thread: false }
  const texts = { subject_template: 'Second', body_template: 'Hello' }
  const steps = [{ id: cadence.stepIds[1], ...second, ...texts }]
  assert.equal((await acme.manager.put(`/api/cadences/${cadence.id}/steps`, { steps })).status, 200)

  const first = await dispatch()
  await actions.runDue()
  const sent = await dispatch()

  assert.deepEqual([first, sent.map(({ subject }) => subject)], [[], ['Second']])
  const runs = await actions.listRunsOf(id!)
  assert.deepEqual(runs.map(({ state, skip_reason }) => [state, skip_reason]).sort(), [
    ['done', null],
    ['skipped', 'step_removed'],
  ])
  assert.equal((await actions.findEnrollment(id!)).status, 'completed')
})

test('a manual email that the mail server does not accept keeps its text, which is sent when the enrollment continues', async () => {
  const { acme, actions, dispatch } = await createWorkspace()
  const cadence = await actions.createCadence([
    { type: 'email_manual', subject_template: undefined, body_template: undefined },
  ])
  const lead = await actions.createLead({ email: 'manual@late.example' })
  await acme.member.post(`/api/cadences/${cadence.id}/enrollments`, { lead_ids: [lead.id] })
  const [{ id }] = await actions.rowsOf('select id from marketing.cadence_enrollments where tenant_id = $1')
  await actions.runDue()
  const [task] = (await acme.member.get('/api/cadences/tasks?assignee_id=me')).body.items
  const text = { sent_subject: 'My own text', sent_body: 'Twenty minutes of work' }
  assert.equal((await acme.member.post(`/api/cadences/tasks/${task.activity_id}/complete`, text)).status, 200)
  await actions.runDue()
  const [run] = await actions.listRunsOf(id)
  await acme.sql(`update crm.email_messages set state = 'failed' where tenant_id = $1 and id = $2`, [acme.id, run.id])
  await actions.inAcme((tx) => storeUnsentEmails(tx, [{ id: run.id, reason: null }], 'failed', clock.now()))
  const drift = await actions.inAcme((tx) => listCadenceCountDrift(tx, 10))
  const resumed = await acme.member.patch(`/api/cadences/${cadence.id}/enrollments/${id}`, { status: 'active' })
  await actions.runDue()
  const sent = await dispatch()

  assert.equal(resumed.status, 200)
  assert.deepEqual(drift, [])
  assert.deepEqual(
    sent.map(({ subject }) => subject),
    ['My own text'],
  )
  assert.equal((await actions.findEnrollment(id)).status, 'completed')
})

test('an email that waits while the address of the person is corrected is sent to the new address, and not to the old one', async () => {
  const { acme, actions, dispatch } = await createWorkspace()
  const cadence = await actions.createCadence([{}])
  const lead = await actions.createLead({ email: 'wrong@late.example' })
  const [id] = await actions.enroll(cadence, [lead])
  await actions.runDue()
  assert.equal((await acme.member.patch(`/api/leads/${lead.id}`, { email: 'Right@late.example' })).status, 200)

  const first = await dispatch()
  await actions.runDue()
  const sent = await dispatch()

  assert.deepEqual([first, sent.map(({ address }) => address)], [[], ['Right@late.example']])
  assert.equal((await actions.findEnrollment(id!)).status, 'completed')
})
