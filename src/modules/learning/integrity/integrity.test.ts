import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'
import { createIntegrityRunner } from '../../operations/integrity/integrity.fixture.ts'
import {
  complete,
  createPath,
  enroll,
  learningUrl,
  quizModule,
  reviewOf,
  start,
  submit,
  textModule,
} from '../learning.fixture.ts'

const { tenant, services, startTestWorker } = await startTestApp()
await startTestWorker()
const { find, findAll, assertRepairs } = createIntegrityRunner(services)
const [acme, other] = [await tenant(), await tenant()]
const path = await createPath(acme, { modules: [textModule, textModule], certificate: { enabled: true } })
const [first, second] = path.modules as unknown as [{ id: string }, { id: string }]

test('enrollments in use have no finding', async () => {
  const enrollment = await enroll(acme.member, path)
  await complete(acme.member, enrollment, first)
  const done = await enroll(acme.manager, path)
  await complete(acme.manager, done, first)
  await complete(acme.manager, done, second)

  assert.deepEqual(
    (await findAll(acme.id)).filter(({ status }) => status !== 'ok'),
    [],
  )
})

test('progress that differs from the modules is reported and derived again', async () => {
  const { id, url } = await enroll(acme.member, path)
  await acme.sql('update enablement.learning_enrollments set progress_rate = 0.9, score = 12 where id = $1', [id])

  assert.deepEqual(await find(other.id, 'learning_progress_outdated'), [])
  await assertRepairs(acme.id, 'learning_progress_outdated', [id])

  const { body } = await acme.member.get(url)
  assert.deepEqual([body.progress_rate, body.score], [0.5, null])
})

test('a completed enrollment without its certificate is reported and gets one', async () => {
  const { id, url } = await enroll(acme.manager, path)
  await acme.sql('delete from enablement.certificates where enrollment_id = $1', [id])

  assert.deepEqual(await find(other.id, 'certificate_missing'), [])
  await assertRepairs(acme.id, 'certificate_missing', [id])

  assert.equal((await acme.manager.get(url)).body.certificate.status, 'valid')
})

test('an open attempt long after its time limit is reported and graded', async () => {
  const timed = await createPath(acme, { modules: [quizModule({ time_limit_seconds: 60 })] })
  const enrollment = await enroll(acme.member, timed)
  const { body } = await start(acme.member, enrollment, timed.modules[0]!)
  await acme.sql(`update enablement.quiz_attempts set deadline_at = now() - interval '1 hour' where id = $1`, [body.id])

  assert.deepEqual(await find(other.id, 'quiz_attempt_overdue'), [])
  await assertRepairs(acme.id, 'quiz_attempt_overdue', [body.id])

  const { modules } = (await acme.member.get(enrollment.url)).body
  assert.deepEqual([modules[0].open_attempt, modules[0].last_attempt.score], [null, 0])
})

test('an erased user leaves no answer, no submission and no name, but the code of the certificate', async () => {
  const [leaving, coach] = [await acme.person('member', { name: 'Wobblethorpe' }), await acme.person('manager')]
  const assignment = { instructions: 'Plan.' }
  const mixed = await createPath(acme, {
    ordering: 'free',
    modules: [{ kind: 'assignment', assignment }, quizModule({}), textModule],
    certificate: { enabled: true },
  })
  const [task, quiz] = mixed.modules as unknown as [{ id: string }, { id: string }]
  const own = await enroll(leaving, mixed)
  await complete(leaving, own, task, { submission: { text: 'Unmistakable words.' } })
  await reviewOf(coach, own, task, { decision: 'pass', comment: 'Unmistakable words.' })
  await submit(leaving, own, quiz, { answers: [] })
  const certified = await enroll(leaving, path)
  await complete(leaving, certified, first)
  const { body: done } = await complete(leaving, certified, second)
  const kept = await enroll(acme.member, mixed)
  await complete(acme.member, kept, task, { submission: { text: 'My plan.' } })
  await reviewOf(coach, kept, task, { decision: 'pass', comment: 'Good.' })
  await coach.post(`${(await createPath(acme)).url}/enroll`, { user_ids: [acme.member.userId] })
  const personal = () =>
    acme.sql(
      `select (select count(*)::int from enablement.learning_enrollments where user_id = $1 or assigned_by = $2) as enrollments,
         (select count(*)::int from enablement.enrollment_modules where submission::text like '%Unmistakable%'
           or review::text like '%Unmistakable%' or reviewed_by = $2) as modules,
         (select count(*)::int from enablement.quiz_attempts where enrollment_id = $3) as attempts,
         (select count(*)::int from enablement.certificates where user_id = $1 or holder_name = 'Wobblethorpe') as certificates`,
      [leaving.userId, coach.userId, own.id],
    )
  const before = (await personal()).rows[0]

  for (const { userId } of [leaving, coach]) {
    await acme.admin.patch(`/api/users/${userId}`, { status: 'deactivated' })
    assert.equal((await acme.admin.delete(`/api/users/${userId}`)).status, 204)
  }
  await waitUntil(async () => Object.values((await personal()).rows[0]).every((count) => count === 0))

  assert.ok(Object.values(before).every((count) => Number(count) > 0))
  const certificate = await acme.manager.get(`${learningUrl}certificates/${done.certificate.code}`)
  assert.deepEqual([certificate.body.valid, certificate.body.holder_name], [true, null])
  const { body } = await acme.member.get(kept.url)
  assert.deepEqual([body.modules[0].review.comment, body.modules[0].review.reviewer], ['Good.', null])
})
