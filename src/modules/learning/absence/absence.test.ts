import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp, waitForValue } from '#testing'
import {
  type Acme,
  addModule,
  assignPath,
  complete,
  createPath,
  moduleOf,
  quizModule,
  submit,
  textModule,
} from '../learning.fixture.ts'
import { onLearnerDeactivated } from './absent-learners.subscriptions.ts'

const app = await startTestApp()
const { tenant, services, startTestWorker } = app
await startTestWorker()

type Enrollment = { id: string; url: string }

/** Waits for both consumers to have handled the events of the user, because a status can also be the former one. */
async function setStatus(acme: Acme, ...statuses: ('active' | 'deactivated')[]): Promise<void> {
  for (const status of statuses)
    assert.equal((await acme.admin.patch(`/api/users/${acme.member.userId}`, { status })).status, 200)
  const countUndelivered = async () =>
    (
      await acme.sql(
        `select count(*)::int as events from platform.outbox_events event
         where event.tenant_id = $1 and event.type in ('user.deactivated', 'user.reactivated') and not exists (
           select from platform.event_receipts receipt where receipt.tenant_id = $1 and receipt.event_id = event.id
             and receipt.consumer in ('enablement.withdraw_enrollments', 'enablement.restore_enrollments'))`,
        [acme.id],
      )
    ).rows[0].events
  await waitForValue(countUndelivered, (events) => events === 0)
  if (statuses.at(-1) === 'active') Object.assign(acme.member, await acme.signIn(acme.member.userId))
}
const read = async (acme: Acme, { url }: Enrollment) => (await acme.manager.get(url)).body
const statusOf = async (acme: Acme, enrollment: Enrollment) => (await read(acme, enrollment)).status

test('users who return continue where they left, as often as they leave', async () => {
  const acme = await tenant()
  const { member } = acme
  const path = await createPath(acme, { modules: [textModule, textModule] })
  const untouched = await assignPath(acme, member, await createPath(acme))
  const started = await assignPath(acme, member, path, { completed: 1 })
  const quiz = await createPath(acme, { modules: [quizModule({ max_attempts: 1 })] })
  const failed = await assignPath(acme, member, quiz)
  await submit(member, failed, quiz.modules[0]!, { answers: [] })
  const withdrawn = await assignPath(acme, member, await createPath(acme))
  await acme.manager.patch(withdrawn.url, { status: 'withdrawn' })
  const all = [untouched, started, failed, withdrawn]
  await addModule(acme.manager, path.url, { ...textModule, apply_to: 'new' })
  const statuses = () => Promise.all(all.map((enrollment) => statusOf(acme, enrollment)))

  const seen = []
  for (let time = 0; time < 2; time++) {
    await setStatus(acme, 'deactivated')
    seen.push(await statuses())
    await setStatus(acme, 'active')
    seen.push(await statuses())
  }
  await setStatus(acme, 'deactivated', 'active')
  seen.push(await statuses())
  const done = await complete(acme.member, started, path.modules[1]!)

  const [away, back] = [
    ['withdrawn', 'withdrawn', 'withdrawn', 'withdrawn'],
    ['not_started', 'in_progress', 'failed', 'withdrawn'],
  ]
  assert.deepEqual(seen, [away, back, away, back, back])
  assert.deepEqual([done.body.status, done.body.modules.length], ['completed', 2], 'the path did not change while away')
})

test('users who return to a changed path keep what they completed and get its current modules', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { modules: [textModule, { ...textModule, title: 'Old' }] })
  const [first, second] = [path.modules[0]!, path.modules[1]!]
  const changed = await assignPath(acme, acme.member, path, { completed: 1 })
  const shortened = await createPath(acme, { modules: [textModule, textModule], certificate: { enabled: true } })
  const almostDone = await assignPath(acme, acme.member, shortened, { completed: 1 })
  await setStatus(acme, 'deactivated')
  await acme.manager.delete(second.url)
  await acme.manager.delete(shortened.modules[1]!.url)
  const added = await addModule(acme.manager, path.url, { ...textModule, title: 'New', apply_to: 'new' })

  await setStatus(acme, 'active')
  const body = await read(acme, changed)
  const certified = await read(acme, almostDone)
  const done = await complete(acme.member, changed, added)

  assert.deepEqual(
    [body.status, body.progress_rate, body.updates_available, body.modules.length],
    ['in_progress', 0.5, false, 2],
  )
  assert.deepEqual([moduleOf(body, first).state, moduleOf(body, added).state], ['completed', 'pending'])
  assert.deepEqual([certified.status, certified.certificate?.status], ['completed', 'valid'])
  assert.equal(done.body.status, 'completed')
})

test('a deactivation that is delivered after the reactivation withdraws nothing', async () => {
  const acme = await tenant()
  const enrollment = await assignPath(acme, acme.member, await createPath(acme))
  const event = { subject: { id: acme.member.userId } } as never

  await inTenant(services.db, systemActor(acme.id), (tx) => onLearnerDeactivated.handle(tx, event))

  assert.equal(await statusOf(acme, enrollment), 'not_started')
})

test('a withdrawal by a coach during the absence, a new cycle and a deleted path are not undone', async () => {
  const acme = await tenant()
  const [ended, repeated, deleted] = [await createPath(acme), await createPath(acme), await createPath(acme)]
  const enrollments = []
  for (const path of [ended, repeated, deleted]) enrollments.push(await assignPath(acme, acme.member, path))
  const [first, second, third] = enrollments as [Enrollment, Enrollment, Enrollment]
  await setStatus(acme, 'deactivated')

  const byCoach = await acme.manager.patch(first.url, { status: 'withdrawn' })
  assert.equal((await acme.manager.delete(deleted.url)).status, 204)
  await acme.sql(
    `insert into enablement.learning_enrollments (tenant_id, id, path_id, user_id, cycle, source, is_mandatory)
     values ($1, gen_random_uuid(), $2, $3, 2, 'assigned', true)`,
    [acme.id, repeated.id, acme.member.userId],
  )
  await setStatus(acme, 'active')

  assert.equal(byCoach.status, 200)
  assert.deepEqual(
    [await statusOf(acme, first), await statusOf(acme, second), await statusOf(acme, third)],
    ['withdrawn', 'withdrawn', 'withdrawn'],
  )
})
