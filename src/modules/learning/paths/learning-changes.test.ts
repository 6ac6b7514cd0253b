// What happens to learners when a quiz, a path, its content or the people around them change.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp, waitForValue } from '#testing'
import { createTeam } from '../../pitches/pitches.fixture.ts'
import { expireAttemptsSchedule } from '../attempts/expire-attempts.jobs.ts'
import {
  type Acme,
  addModule,
  banksUrl,
  complete,
  createContent,
  createPath,
  enroll,
  moduleOf,
  oneQuestion,
  questionsOfAllKinds,
  quizModule,
  reviewOf,
  rightAnswers,
  start,
  submit,
  textModule,
} from '../learning.fixture.ts'

const app = await startTestApp()
const { tenant, clock, services, startTestWorker } = app
await startTestWorker()
clock.freeze()

const codeOf = ({ status, body }: { status: number; body: { code?: string } }) => [status, body.code]
const noticesOf = async (user: Acme['member'], kind: string) =>
  ((await user.get('/api/auth/notifications')).body.items as { kind: string }[]).filter(
    (notice) => notice.kind === kind,
  )

async function startTimedQuiz(acme: Acme, quiz: object = {}) {
  const path = await createPath(acme, { modules: [quizModule({ time_limit_seconds: 60, ...quiz }), textModule] })
  const module = path.modules[0]!
  const enrollment = await enroll(acme.member, path)
  const { body: attempt } = await start(acme.member, enrollment, module)
  const answersUrl = `${enrollment.url}/modules/${module.id}/attempts/${attempt.id}/answers`
  return { path, module, enrollment, attempt, answersUrl }
}

test('an open attempt continues after a reset and counts, also when its time ends', async () => {
  const acme = await tenant()
  const [one, other] = [await startTimedQuiz(acme), await startTimedQuiz(acme)]
  for (const { enrollment, module } of [one, other])
    assert.equal((await reviewOf(acme.manager, enrollment, module, { decision: 'reset' })).status, 200)

  const answers = rightAnswers(one.attempt.questions)
  const submitted = await submit(acme.member, one.enrollment, one.module, { attempt_id: one.attempt.id, answers })
  clock.advance(91)
  await runTenantSchedule(app, expireAttemptsSchedule(services))
  const { body } = await acme.member.get(other.enrollment.url)

  assert.deepEqual([submitted.status, submitted.body.module_state], [200, 'completed'])
  const { open_attempt, state, score } = moduleOf(body, other.module)
  assert.deepEqual([open_attempt, state, score], [null, 'in_progress', 0])
})

test('an attempt keeps its time limit and the order of its options when the quiz changes', async () => {
  const acme = await tenant()
  const questions = questionsOfAllKinds.slice(2, 3)
  const { enrollment, module, attempt } = await startTimedQuiz(acme, { questions, shuffle_options: false })
  for (let shuffled = 0; shuffled < 3; shuffled++) {
    await acme.manager.patch(module.url, { quiz: { time_limit_seconds: null, shuffle_options: shuffled % 2 === 0 } })
    assert.deepEqual((await start(acme.member, enrollment, module)).body.questions, attempt.questions)
  }

  clock.advance(91)
  const late = await submit(acme.member, enrollment, module, { answers: rightAnswers(attempt.questions) })

  assert.deepEqual(codeOf(late), [409, 'attempt_expired'])
})

test('a withdrawn enrollment shows no questions, saves no answers and takes no submission', async () => {
  const acme = await tenant()
  const { enrollment, module, attempt, answersUrl } = await startTimedQuiz(acme)
  await acme.member.patch(enrollment.url, { status: 'withdrawn' })

  const closed = [409, 'enrollment_closed']
  assert.deepEqual(codeOf(await start(acme.member, enrollment, module)), closed)
  assert.deepEqual(codeOf(await acme.member.put(answersUrl, { answers: [] })), closed)
  assert.deepEqual(
    codeOf(await submit(acme.member, enrollment, module, { attempt_id: attempt.id, answers: [] })),
    closed,
  )
  assert.deepEqual(codeOf(await complete(acme.member, enrollment, module)), closed)
})

test('a quiz has at most 200 questions with drawn ones, 20 attempts, and a request 500 users or 50 teams', async () => {
  const acme = await tenant()
  const many = (length: number) => Array.from({ length }, (_, index) => ({ ...oneQuestion[0]!, text: `${index}?` }))
  const { body: bank } = await acme.manager.post(banksUrl, { name: 'Bank', questions: many(60) })
  const path = await createPath(acme, { status: 'draft' })
  const add = async (quiz: object) => {
    const { status, body } = await acme.manager.post(`${path.url}/modules`, { title: 'Quiz', kind: 'quiz', quiz })
    return [status, body.errors?.[0].code]
  }
  const draws = (count: number) => [{ bank_id: bank.id, count }]
  const ids = (length: number) => Array.from({ length }, newId)
  const enrollMany = async (body: object) => (await acme.manager.post(`${path.url}/enroll`, body)).body.errors?.[0].code

  assert.deepEqual(await add({ questions: many(200) }), [201, undefined])
  assert.equal((await add({ questions: many(201) }))[1], 'maxItems')
  assert.deepEqual(await add({ questions: many(150), draws: draws(50) }), [201, undefined])
  assert.deepEqual(await add({ questions: many(150), draws: draws(51) }), [422, 'maxItems'])
  assert.equal((await add({ max_attempts: 20 }))[0], 201)
  assert.equal((await add({ max_attempts: 21 }))[1], 'maximum')
  assert.equal((await acme.manager.post(banksUrl, { name: 'Big', questions: many(201) })).status, 422)
  assert.equal(await enrollMany({ user_ids: ids(501) }), 'maxItems')
  assert.equal(await enrollMany({ team_ids: ids(51) }), 'maxItems')
})

test('an enrollment whose last required module is removed gets the modules of its path', async () => {
  const acme = await tenant()
  const path = await createPath(acme)
  const enrollment = await enroll(acme.member, path)
  const later = await addModule(acme.manager, path.url, { ...textModule, apply_to: 'new' })

  assert.equal((await acme.manager.delete(path.modules[0]!.url)).status, 204)
  const { body } = await acme.member.get(enrollment.url)

  assert.deepEqual([body.status, body.progress_rate], ['not_started', 0])
  assert.deepEqual(
    body.modules.map(({ module_id }: { module_id: string }) => module_id),
    [later.id],
  )
  assert.equal((await complete(acme.member, enrollment, later)).body.status, 'completed')
})

test('an archived path that becomes a draft and is published again keeps its learners', async () => {
  const acme = await tenant()
  const path = await createPath(acme)
  const enrollment = await enroll(acme.member, path)
  for (const status of ['archived', 'draft']) await acme.manager.patch(path.url, { status })

  const last = await acme.manager.delete(path.modules[0]!.url)
  const optional = await acme.manager.patch(path.modules[0]!.url, { is_required: false })
  const added = await addModule(acme.manager, path.url, textModule)
  const refused = await acme.manager.post(`${path.url}/enroll`, { user_ids: [acme.admin.userId] })
  await acme.manager.patch(path.url, { status: 'published' })
  const first = await complete(acme.member, enrollment, path.modules[0]!)
  const second = await complete(acme.member, enrollment, added)

  assert.deepEqual([codeOf(last)[1], codeOf(optional)[1]], ['last_required_module', 'last_required_module'])
  assert.deepEqual(codeOf(refused), [409, 'path_not_published'])
  assert.deepEqual([first.body.progress_rate, second.body.status], [0.5, 'completed'])
})

test('users who are enrolled after content was archived do not get its module', async () => {
  const acme = await tenant()
  const item = await createContent(acme)
  const owner = await acme.person('manager')
  const reading = { kind: 'content', content_item_id: item.id, min_seconds: 60 }
  const path = await createPath({ manager: owner }, { modules: [reading, textModule] })
  const before = await enroll(acme.member, path)
  await acme.admin.patch(`/api/users/${owner.userId}`, { status: 'deactivated' })

  await acme.manager.patch(`/api/enablement/content/${item.id}`, { status: 'archived' })
  await waitForValue(
    () => acme.member.get(before.url),
    ({ body }) => moduleOf(body, path.modules[0]!).state === 'waived',
  )
  const after = await enroll(acme.admin, path)
  const { body } = await complete(acme.admin, after, path.modules[1]!)

  assert.deepEqual([body.status, body.modules.length], ['completed', 1])
  assert.equal((await noticesOf(acme.manager, 'learning.content_hidden')).length, 1, 'the owner is not active')
})

test('a failed enrollment of a deleted path does not open again', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { modules: [quizModule({ max_attempts: 1 })] })
  const [module] = path.modules
  const enrollment = await enroll(acme.member, path)
  await submit(acme.member, enrollment, module!, { answers: [] })
  assert.equal((await acme.manager.delete(path.url)).status, 204)

  const reset = await reviewOf(acme.manager, enrollment, module!, { decision: 'reset' })
  const again = await acme.member.post(`${path.url}/enroll`, {})

  assert.deepEqual(
    [codeOf(reset), codeOf(again)],
    [
      [409, 'enrollment_closed'],
      [404, 'not_found'],
    ],
  )
  assert.equal((await acme.member.get(enrollment.url)).body.status, 'failed')
})

test('a prerequisite that was archived locks nothing', async () => {
  const acme = await tenant()
  const first = await createPath(acme)
  const path = await createPath(acme, { prerequisite_path_ids: [first.id] })
  const enrollment = await enroll(acme.member, path)

  const locked = await complete(acme.member, enrollment, path.modules[0]!)
  await acme.manager.patch(first.url, { status: 'archived' })
  const done = await complete(acme.member, enrollment, path.modules[0]!)

  assert.deepEqual([codeOf(locked), done.body.status], [[409, 'module_locked'], 'completed'])
})

test('a prerequisite locks only while it is published, and a published path gets no other ones', async () => {
  const acme = await tenant()
  const draft = await createPath(acme, { status: 'draft', title: 'Basics' })
  const path = await createPath(acme, { status: 'draft', prerequisite_path_ids: [draft.id] })
  const setStatus = ({ url }: { url: string }, status: string) => acme.manager.patch(url, { status })

  const refused = await setStatus(path, 'published')
  await setStatus(draft, 'published')
  const published = await setStatus(path, 'published')
  const enrollment = await enroll(acme.member, path)
  const locked = await complete(acme.member, enrollment, path.modules[0]!)
  for (const status of ['archived', 'draft']) await setStatus(draft, status)
  const other = await createPath(acme, { status: 'draft', title: 'Theory' })
  const added = await acme.manager.patch(path.url, { prerequisite_path_ids: [draft.id, other.id] })
  const kept = await acme.manager.patch(path.url, { prerequisite_path_ids: [draft.id], title: 'Advanced' })
  const done = await complete(acme.member, enrollment, path.modules[0]!)

  assert.deepEqual(codeOf(refused), [409, 'not_publishable'])
  assert.deepEqual(refused.body.problems, [
    { module_id: null, message: 'The prerequisite "Basics" must be published.' },
  ])
  assert.equal(published.status, 200)
  assert.deepEqual(
    [codeOf(locked), locked.body.locked_by.map(({ reason, ref }: { reason: string; ref: string }) => [reason, ref])],
    [[409, 'module_locked'], [['prerequisite_path', draft.id]]],
  )
  assert.deepEqual(
    [codeOf(added), added.body.problems.map(({ message }: { message: string }) => message), kept.status],
    [[409, 'not_publishable'], ['The prerequisite "Theory" must be published.'], 200],
  )
  assert.equal(done.body.status, 'completed')
})

test('leads enroll their teams only in paths that they see, and managers hear of failures if the lead has left', async () => {
  const acme = await tenant()
  const { lead, seller, teamId } = await createTeam(acme)
  const draft = await createPath(acme, { status: 'draft' })
  const closed = await createPath(acme, {
    audience_team_ids: [(await acme.admin.post('/api/teams/', { name: 'Others' })).body.id],
  })
  for (const path of [draft, closed])
    assert.deepEqual(codeOf(await lead.post(`${path.url}/enroll`, { team_ids: [teamId] })), [404, 'not_found'])

  const path = await createPath(acme, { modules: [quizModule({ max_attempts: 1 })] })
  const enrollment = await enroll(seller, path)
  await acme.admin.patch(`/api/users/${lead.userId}`, { status: 'deactivated' })
  await submit(seller, enrollment, path.modules[0]!, { answers: [] })

  assert.equal((await noticesOf(acme.manager, 'learning.failed')).length, 1)
})

test('other workspaces neither read nor change enrollments, paths, modules, banks and certificates', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const path = await createPath(acme, { modules: [quizModule(), textModule], certificate: { enabled: true } })
  const own = await createPath(other)
  const enrollment = await enroll(acme.member, path)
  const module = path.modules[0]!
  const { body: bank } = await acme.manager.post(banksUrl, { name: 'Bank', questions: oneQuestion })

  for (const response of [
    await other.manager.get(enrollment.url),
    await other.manager.patch(enrollment.url, { status: 'withdrawn' }),
    await complete(other.manager, enrollment, module),
    await start(other.manager, enrollment, module),
    await submit(other.manager, enrollment, module, { answers: [] }),
    await reviewOf(other.manager, enrollment, module, { decision: 'waive' }),
    await other.manager.get(`${path.url}/enrollments`),
    await other.manager.patch(module.url, { title: 'No' }),
    await other.manager.delete(module.url),
    await other.manager.delete(path.url),
  ])
    assert.deepEqual(codeOf(response), [404, 'not_found'])
  const draws = [{ bank_id: bank.id, count: 1 }]
  for (const [url, body] of [
    [`${own.url}/modules`, { title: 'Quiz', kind: 'quiz', quiz: { draws } }],
    [`${own.url}/modules`, { title: 'Text', ...textModule, prerequisite_module_ids: [module.id] }],
    [`${own.url}/enroll`, { user_ids: [acme.member.userId] }],
  ] as const)
    assert.equal((await other.manager.post(url, body)).status, 422)
  assert.equal((await other.manager.patch(own.url, { prerequisite_path_ids: [path.id] })).status, 422)
})
