import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask, waitUntil } from '#testing'
import { parseCode } from '../certificates/certificates.rules.ts'
import { assertHidesAnswers, secrets } from '../hidden-answers.fixture.ts'
import {
  answerQuiz,
  complete,
  createContent,
  createPath,
  enroll,
  learningUrl,
  moduleOf,
  pathsUrl,
  questionsOfAllKinds,
  quizModule,
  readContent,
  rightAnswers,
  submit,
  textModule,
} from '../learning.fixture.ts'

const { tenant, clock, startTestWorker } = await startTestApp()
await startTestWorker()
clock.freeze()

test('enablement-5-1 a quiz opens after the content before it, and the last module completes the path with a certificate', async () => {
  const acme = await tenant()
  const { member } = acme
  const item = await createContent(acme)
  const path = await createPath(acme, {
    modules: [{ kind: 'content', content_item_id: item.id, min_seconds: 60 }, quizModule()],
    certificate: { enabled: true, title: 'Certified seller' },
  })
  const [content, quiz] = path.modules as [never, never]
  const enrollment = await enroll(member, path)

  const before = await member.get(enrollment.url)
  const locked = await submit(member, enrollment, quiz, { answers: [] })
  await readContent(member, clock, item.id, { seconds: 60 })
  const read = await complete(member, enrollment, content)
  const done = await answerQuiz(member, enrollment, quiz)

  assert.deepEqual(moduleOf(before.body, quiz).locked_by, [
    { reason: 'previous_module', ref: path.modules[0]!.id, until: null },
  ])
  assert.equal(moduleOf(before.body, quiz).questions, null)
  assert.deepEqual([locked.status, locked.body.code], [409, 'module_locked'])
  assert.deepEqual([read.status, read.body.status, read.body.progress_rate], [200, 'in_progress', 0.5])
  assert.equal(moduleOf(read.body, content).seen_seconds, 60)
  assert.equal(done.status, 200)
  assert.deepEqual([done.body.module_state, done.body.attempt.score], ['completed', 100])
  const { status, progress_rate, score } = done.body.enrollment
  assert.deepEqual({ status, progress_rate, score }, { status: 'completed', progress_rate: 1, score: 100 })
  const { code, title } = done.body.certificate
  assert.match(code, /^[0-9A-Z]{4}-[0-9A-Z]{4}-[0-9A-Z]{4}$/)
  assert.ok(parseCode(code))
  assert.equal(title, 'Certified seller')
  const events = (await acme.events()).filter((type) => /^(learning_enrollment|certificate)/.test(type))
  assert.deepEqual(events, [
    'learning_enrollment.created',
    'learning_enrollment.progressed',
    'learning_enrollment.started',
    'learning_enrollment.progressed',
    'learning_enrollment.completed',
    'certificate.issued',
  ])
})

test('enablement-5-2 only tracked time completes content, and a client cannot invent seconds', async () => {
  const acme = await tenant()
  const { member } = acme
  const item = await createContent(acme)
  const path = await createPath(acme, { modules: [{ kind: 'content', content_item_id: item.id, min_seconds: 60 }] })
  const [content] = path.modules as [never]
  await readContent(member, clock, item.id, { seconds: 90 })
  clock.advance(31 * 60)
  const later = { ...acme.member, ...(await acme.signIn(acme.member.userId)) }
  const enrollment = await enroll(later, path)
  await readContent(later, clock, item.id, { seconds: 10 })

  const early = await complete(later, enrollment, content)
  const invented = await complete(later, enrollment, content, { seconds: 60 })

  const { code, needed, seen } = early.body
  assert.deepEqual([early.status, code, { needed, seen }], [409, 'minimum_not_met', { needed: 60, seen: 10 }])
  assert.equal(invented.status, 422)
  clock.reset()
  clock.freeze()
})

test('videos need their share, and a completed module stays as it is', async () => {
  const acme = await tenant()
  const { member } = acme
  const item = await createContent(acme)
  const path = await createPath(acme, { modules: [{ kind: 'video', content_item_id: item.id }, textModule] })
  const [video] = path.modules as [never]
  const enrollment = await enroll(member, path)
  await readContent(member, clock, item.id, { seconds: 5, progress: 0.8 })

  const early = await complete(member, enrollment, video)
  await readContent(member, clock, item.id, { seconds: 5, progress: 0.9 })
  const [done, again] = [await complete(member, enrollment, video), await complete(member, enrollment, video)]

  const { code, needed_progress, seen_progress } = early.body
  assert.deepEqual([code, needed_progress, seen_progress], ['minimum_not_met', 0.9, 0.8])
  assert.deepEqual([done.status, again.status, again.body.version], [200, 200, done.body.version])
})

test('enablement-5-3 no response of a learner has an answer before the review policy allows it', async () => {
  const acme = await tenant()
  const { member } = acme
  const quiz = { questions: questionsOfAllKinds, max_attempts: 2 }
  const path = await createPath(acme, { modules: [quizModule(quiz)] })
  const [module] = path.modules as [never]

  const enrollment = await enroll(member, path)
  const responses = [
    await member.get(pathsUrl),
    await member.get(path.url),
    await member.get(enrollment.url),
    await member.get(`${learningUrl}my-enrollments`),
    await member.post(`${enrollment.url}/modules/${path.modules[0]!.id}/start-quiz`),
    await submit(member, enrollment, module, { answers: [] }),
    await acme.manager.get(enrollment.url),
  ]
  const final = await submit(member, enrollment, module, { answers: [] })

  for (const response of responses) {
    assert.ok(response.status < 300, response.text)
  }
  assert.deepEqual([responses[5]!.body.review, responses[5]!.body.attempts_left], [null, 1])
  assert.equal(final.body.review.length, questionsOfAllKinds.length)
  assert.equal(final.body.review[0].explanation, 'marker-explanation')
  assert.deepEqual(
    final.body.review.find(({ solution }: { solution: { texts?: string[] } }) => solution.texts)?.solution,
    { texts: ['marker-accepted'] },
  )
  const author = await acme.manager.get(path.url)
  assert.equal(author.body.modules[0].quiz.questions[0].options[0].correct, true)
  const viewed = await member.get(path.url)
  const { title, question_count, quiz: hidden } = viewed.body.modules[0]
  assert.deepEqual({ title, question_count, hidden }, { title: 'Module', question_count: 7, hidden: undefined })
})

test('the search of all responses fails a test whose learner gets an answer', async () => {
  const acme = await tenant()
  const path = await createPath(acme, { modules: [quizModule({ questions: questionsOfAllKinds })] })
  const moduleId = path.modules[0]!.id
  const url = `${learningUrl}enrollments/${newId()}/modules/${moduleId}/submit-quiz`
  const search = (review: string, state: string, attempts_left = 1) =>
    assertHidesAnswers({
      method: 'POST',
      url,
      status: 200,
      text: JSON.stringify({
        module_state: state,
        attempts_left,
        review: [{ explanation: 'Because.' }],
        enrollment: { modules: [{ module_id: moduleId, quiz: { review } }] },
      }),
      role: 'member',
    })

  await acme.sql('update enablement.learning_paths set owner_id = $1 where id = $2', [acme.member.userId, path.id])
  await assert.rejects(acme.member.get(path.url), /responded with/)
  assert.equal((await acme.manager.get(path.url)).status, 200)
  for (const [review, state] of [
    ['none', 'completed'],
    ['score_only', 'completed'],
    ['after_pass', 'in_progress'],
    ['after_final', 'in_progress'],
  ] as const)
    assert.throws(() => search(review, state), /"explanation"/)
  search('after_submit', 'in_progress')
  search('after_pass', 'completed')
  search('after_final', 'failed', 0)
  for (const secret of Object.values(secrets))
    assert.throws(() =>
      assertHidesAnswers({ method: 'GET', url: '/api/notifications', status: 200, text: `x${secret}`, role: 'member' }),
    )
})

test('all kinds of questions can be answered, and answers of other quizzes are rejected (enablement-5-4)', async () => {
  const acme = await tenant()
  const path = await createPath(acme, {
    modules: [quizModule({ questions: questionsOfAllKinds }), quizModule({})],
    ordering: 'free',
  })
  const [all, other] = path.modules as [never, never]
  const enrollment = await enroll(acme.member, path)
  const { body } = await acme.member.get(enrollment.url)

  const foreign = await submit(acme.member, enrollment, all, { answers: rightAnswers(moduleOf(body, other).questions) })
  const unknown = await submit(acme.member, enrollment, all, { answers: [{ question_id: newId() }] })
  const right = await answerQuiz(acme.member, enrollment, all)

  assert.deepEqual([foreign.status, foreign.body.errors[0].code], [422, 'unknown_reference'])
  assert.equal(unknown.status, 422)
  assert.deepEqual([right.status, right.body.attempt.score, right.body.module_state], [200, 100, 'completed'])
})

test('paths are listed by status, type and search, and only their audience sees them', async () => {
  const acme = await tenant()
  const team = await acme.admin.post('/api/teams/', { name: 'Sales', members: [{ user_id: acme.member.userId }] })
  const published = await createPath(acme, { title: 'Negotiation for closers', type: 'skills' })
  const closed = await createPath(acme, { title: 'Secret', audience_team_ids: [team.body.id] })
  const draft = await createPath(acme, { title: 'Draft', status: 'draft' })
  const idsOf = async (user: typeof acme.member, query = '') =>
    (await user.get(`${pathsUrl}${query}`)).body.items.map(({ id }: { id: string }) => id)

  assert.deepEqual(await idsOf(acme.viewer), [published.id])
  assert.deepEqual(await idsOf(acme.member), [closed.id, published.id])
  assert.deepEqual(await idsOf(acme.member, '?status=draft'), [])
  assert.deepEqual(await idsOf(acme.manager, '?status=draft'), [draft.id])
  assert.deepEqual(await idsOf(acme.manager, '?search=NEGOT'), [published.id])
  assert.deepEqual(await idsOf(acme.manager, '?type=skills'), [published.id])
  for (const path of [closed, draft]) assert.equal((await acme.viewer.get(path.url)).status, 404)
  assert.equal((await acme.viewer.patch(published.url, { title: 'No' })).status, 403)
  assert.equal((await acme.member.patch(published.url, { title: 'No' })).status, 403)
  assert.equal((await acme.member.patch(draft.url, { title: 'No' })).status, 404)
})

test('a path with finished enrollments is hidden, one without is removed, and one with open ones stays', async () => {
  const acme = await tenant()
  const [used, unused] = [await createPath(acme, { certificate: { enabled: true } }), await createPath(acme)]
  const enrollment = await enroll(acme.member, used)

  const refused = await acme.manager.delete(used.url)
  const { body } = await complete(acme.member, enrollment, used.modules[0]!)
  assert.equal((await acme.manager.delete(used.url)).status, 204)
  assert.equal((await acme.manager.delete(unused.url)).status, 204)

  assert.deepEqual([refused.status, refused.body.code, refused.body.open_enrollments], [409, 'in_use', 1])
  assert.equal((await acme.member.get(enrollment.url)).body.path.title, 'Product basics')
  assert.equal((await acme.viewer.get(`${learningUrl}certificates/${body.certificate.code}`)).body.valid, true)
  const { rows } = await acme.sql('select id from enablement.learning_paths where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [{ id: used.id }])
})

test('more than 200 users are enrolled by a task', async () => {
  const acme = await tenant()
  const path = await createPath(acme)
  const { rows } = await acme.sql(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text)
     select $1, gen_random_uuid(), 'u' || n || '@x.example', 'User ' || n, case when n <= 2 then 'viewer' else 'member' end, 'active', false, 'admin', ''
     from generate_series(1, 230) n returning id`,
    [acme.id],
  )

  const started = await acme.manager.post(`${path.url}/enroll`, { user_ids: rows.map(({ id }: { id: string }) => id) })
  const task = await waitForTask(acme, started.body)

  assert.equal(started.status, 202)
  const { enrolled, already, skipped, skipped_users } = task.result as Record<string, unknown>
  assert.deepEqual([task.state, enrolled, already, skipped], ['succeeded', 228, 0, 2])
  assert.equal((skipped_users as unknown[]).length, 2)
  const { body } = await acme.manager.get(`${path.url}/enrollments?count=exact&limit=1`)
  assert.deepEqual([body.total, body.summary.total], [228, 228])
  await waitUntil(
    async () => (await acme.manager.get(`${path.url}/enrollments?status=not_started`)).body.items.length === 50,
  )
})
