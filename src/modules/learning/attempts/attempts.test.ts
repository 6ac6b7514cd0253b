import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { runTenantSchedule, startTestApp } from '#testing'
import {
  type Acme,
  answerQuiz,
  banksUrl,
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
} from '../learning.fixture.ts'
import { expireAttemptsSchedule } from './expire-attempts.jobs.ts'

const app = await startTestApp()
const { tenant, clock, services } = app
clock.freeze()

async function createQuiz(acme: Acme, quiz: object = {}, fields: object = {}) {
  const path = await createPath(acme, { modules: [quizModule(quiz)], ...fields })
  const module = path.modules[0] as { id: string; url: string }
  return { path, module, enrollment: await enroll(acme.member, path) }
}

test('enablement-5-5 without attempts left the enrollment fails, until a coach resets the quiz', async () => {
  const acme = await tenant()
  const { member } = acme
  const { module, enrollment } = await createQuiz(acme, { max_attempts: 2, review: 'none' })
  const wrong = () => submit(member, enrollment, module, { answers: [] })

  const first = await wrong()
  const second = await wrong()
  const third = await wrong()
  const own = await reviewOf(member, enrollment, module, { decision: 'reset', extra_attempts: 1 })
  const reset = await reviewOf(acme.manager, enrollment, module, { decision: 'reset', extra_attempts: 1 })
  const right = await answerQuiz(member, enrollment, module)

  assert.deepEqual([first.body.module_state, first.body.attempts_left], ['in_progress', 1])
  assert.deepEqual([second.body.module_state, second.body.enrollment.status], ['failed', 'failed'])
  assert.deepEqual([third.status, third.body.code], [409, 'no_attempts_left'])
  assert.deepEqual([own.status, own.body.code], [403, 'self_assessment'])
  assert.deepEqual([reset.body.status, moduleOf(reset.body, module).attempts_left], ['in_progress', 1])
  assert.deepEqual([right.body.attempt.number, right.body.enrollment.status], [3, 'completed'])
})

test('enablement-5-6 of two parallel submissions of the last attempt one counts, and a repeated key is replayed', async () => {
  const acme = await tenant()
  const [one, other] = [await createQuiz(acme, { max_attempts: 1 }), await createQuiz(acme, { max_attempts: 1 })]
  const answer = ({ enrollment, module }: typeof one, headers = {}) =>
    submit(acme.member, enrollment, module, { answers: [] }, headers)

  const both = await Promise.all([answer(one), answer(one)])
  const key = { 'idempotency-key': newId() }
  const [first, replayed] = [await answer(other, key), await answer(other, key)]

  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
  const { rowCount } = await acme.sql('select from enablement.quiz_attempts where enrollment_id = $1', [
    one.enrollment.id,
  ])
  assert.equal(rowCount, 1)
  assert.deepEqual([first.status, replayed.status], [200, 200])
  assert.equal(replayed.body.attempt.id, first.body.attempt.id)
})

test('enablement-5-7 saved answers of a timed quiz are graded when its time ends', async () => {
  const acme = await tenant()
  const { member } = acme
  const questions = [...questionsOfAllKinds.slice(0, 3), questionsOfAllKinds[5]!]
  const { module, enrollment } = await createQuiz(acme, { questions, time_limit_seconds: 60, passing_score: 70 })
  const expire = () => runTenantSchedule(app, expireAttemptsSchedule(services))
  const detailsOf = async () => moduleOf((await member.get(enrollment.url)).body, module)

  const without = await submit(member, enrollment, module, { answers: [] })
  const started = await start(member, enrollment, module)
  const { id: attempt_id, questions: asked } = started.body
  const answers = rightAnswers(asked).filter(({ question_id }) => question_id !== asked.at(-1).id)
  const url = `${enrollment.url}/modules/${module.id}/attempts/${attempt_id}/answers`
  const saved = await member.put(url, { answers })
  const resumed = await start(member, enrollment, module)
  clock.advance(89)
  await expire()
  const before = await detailsOf()
  clock.advance(2)
  const late = await submit(member, enrollment, module, { attempt_id, answers })
  await expire()
  await expire()
  const after = await detailsOf()
  const again = await submit(member, enrollment, module, { attempt_id, answers })

  assert.deepEqual([without.status, without.body.code], [409, 'attempt_required'])
  assert.deepEqual([started.status, resumed.status, saved.status], [201, 200, 200])
  assert.deepEqual(resumed.body.questions, asked)
  assert.deepEqual(resumed.body.answers, answers)
  assert.equal((before.open_attempt as { id: string }).id, attempt_id)
  assert.deepEqual([late.status, late.body.code], [409, 'attempt_expired'])
  assert.deepEqual([after.state, after.score, after.open_attempt], ['completed', 75, null])
  assert.deepEqual([again.status, again.body.code], [409, 'attempt_expired'])
  assert.equal((await member.put(url, { answers })).body.code, 'attempt_expired')
})

test('enablement-5-8 drawn questions stay the same for an attempt, and too few are refused', async () => {
  const acme = await tenant()
  const { member } = acme
  const questions = Array.from({ length: 20 }, (_, index) => ({ ...oneQuestion[0]!, text: `Question ${index}?` }))
  const { body: bank } = await acme.manager.post(banksUrl, { name: 'Bank', questions })
  const draws = [{ bank_id: bank.id, count: 5 }]
  const { path, module, enrollment } = await createQuiz(acme, { questions: [], draws })
  const idsOf = ({ body }: { body: { questions: { id: string }[] } }) => body.questions.map(({ id }) => id)

  const first = await start(member, enrollment, module)
  const reloaded = await start(member, enrollment, module)
  const drawn = new Set<string>()
  for (let attempt = 0; attempt < 6; attempt++) {
    const open = await start(member, enrollment, module)
    for (const id of idsOf(open)) drawn.add(id)
    await submit(member, enrollment, module, { attempt_id: open.body.id, answers: [] })
  }
  const tooMany = await acme.manager.patch(module.url, { quiz: { draws: [{ bank_id: bank.id, count: 30 }] } })
  const inUse = await acme.manager.delete(`${banksUrl}${bank.id}`)
  await acme.manager.put(`${banksUrl}${bank.id}`, { name: 'Bank', questions: questions.slice(0, 4) })
  const tooFew = await start(member, enrollment, module)

  assert.equal(new Set(idsOf(first)).size, 5)
  assert.deepEqual(idsOf(reloaded), idsOf(first))
  assert.ok(drawn.size > 5)
  assert.deepEqual([tooMany.status, tooMany.body.code], [409, 'not_publishable'])
  assert.deepEqual([inUse.status, inUse.body.code, inUse.body.references[0].id], [409, 'in_use', path.id])
  assert.deepEqual([tooFew.status, tooFew.body.code], [409, 'not_enough_questions'])
})

test('a quiz has pauses between attempts, and a passed one needs no other', async () => {
  const acme = await tenant()
  const { module, enrollment } = await createQuiz(acme, { cooldown_minutes: 10 }, { modules: undefined })
  const other = await createQuiz(acme, { cooldown_minutes: 10 })
  assert.ok(module && enrollment)

  const wrong = await submit(acme.member, other.enrollment, other.module, { answers: [] })
  const early = await answerQuiz(acme.member, other.enrollment, other.module)
  clock.advance(601)
  const right = await answerQuiz(acme.member, other.enrollment, other.module)

  assert.ok(wrong.body.next_attempt_at)
  assert.deepEqual(
    [early.status, early.body.code, early.body.next_attempt_at],
    [409, 'attempt_cooldown', wrong.body.next_attempt_at],
  )
  assert.equal(right.status, 200)
  const passed = await answerQuiz(acme.member, other.enrollment, other.module).catch(() => undefined)
  assert.ok(passed === undefined || passed.status === 409)
})

test('with the latest attempt counting, a worse one takes the pass back while the enrollment is open', async () => {
  const acme = await tenant()
  const path = await createPath(acme, {
    modules: [quizModule({ grading: 'latest' }), { kind: 'content', body: 'Read this.' }],
  })
  const module = path.modules[0]!
  const enrollment = await enroll(acme.member, path)

  const right = await answerQuiz(acme.member, enrollment, module)
  const wrong = await submit(acme.member, enrollment, module, { answers: [] })
  const average = await createQuiz(acme, { grading: 'average', passing_score: 50 })
  await submit(acme.member, average.enrollment, average.module, { answers: [] })
  const mean = await answerQuiz(acme.member, average.enrollment, average.module)

  assert.deepEqual([right.body.module_state, right.body.enrollment.progress_rate], ['completed', 0.5])
  assert.deepEqual([wrong.body.module_state, wrong.body.enrollment.progress_rate], ['in_progress', 0])
  assert.deepEqual(
    [mean.body.attempt.score, mean.body.module_state, mean.body.enrollment.score],
    [100, 'completed', 50],
  )
})

test('learners see as much of the answers as the review policy allows', async () => {
  const acme = await tenant()
  const reviewWith = async (review: string, isRight: boolean) => {
    const { module, enrollment } = await createQuiz(acme, { review })
    const { body } = isRight
      ? await answerQuiz(acme.member, enrollment, module)
      : await submit(acme.member, enrollment, module, { answers: [] })
    return body.review === null ? null : Object.keys(body.review[0]).sort().join()
  }
  const everything = 'answer,earned,explanation,points,question_id,solution'

  assert.deepEqual([await reviewWith('none', true), await reviewWith('none', false)], [null, null])
  assert.equal(await reviewWith('score_only', false), 'earned,points,question_id')
  assert.deepEqual([await reviewWith('after_pass', false), await reviewWith('after_pass', true)], [null, everything])
  assert.deepEqual([await reviewWith('after_final', false), await reviewWith('after_final', true)], [null, everything])
  assert.equal(await reviewWith('after_submit', false), everything)
})

test('attempts keep their questions when the quiz changes', async () => {
  const acme = await tenant()
  const { module, enrollment } = await createQuiz(acme, { time_limit_seconds: 600 })
  const { body: started } = await start(acme.member, enrollment, module)
  await acme.manager.patch(module.url, { quiz: { questions: questionsOfAllKinds } })

  const { body } = await submit(acme.member, enrollment, module, {
    attempt_id: started.id,
    answers: rightAnswers(started.questions),
  })

  assert.deepEqual([body.attempt.possible, body.attempt.score], [1, 100])
  const repeated = await submit(acme.member, enrollment, module, { attempt_id: started.id, answers: [] })
  assert.deepEqual([repeated.status, repeated.body.code], [409, 'already_submitted'])
})

test('question banks belong to managers, and their names are unique', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const { body: bank } = await acme.manager.post(banksUrl, { name: 'Product', topic: 'A', questions: oneQuestion })
  const url = `${banksUrl}${bank.id}`

  const twice = await acme.manager.post(banksUrl, { name: 'PRODUCT', questions: [] })
  const kept = { ...oneQuestion[0], id: bank.questions[0].id, text: 'Better?' }
  const replaced = await acme.manager.put(url, { name: 'Product', questions: [kept] }, { 'if-match': '"1"' })
  const stale = await acme.manager.put(url, { name: 'Product', questions: [] }, { 'if-match': '"1"' })
  const foreign = await acme.manager.put(url, { name: 'Product', questions: [{ ...kept, id: newId() }] })

  assert.deepEqual([twice.status, twice.body.code, twice.body.existing_id], [409, 'already_exists', bank.id])
  assert.deepEqual([replaced.body.questions[0].id, replaced.body.topic], [bank.questions[0].id, null])
  assert.deepEqual(replaced.body.questions[0].options, bank.questions[0].options)
  assert.deepEqual([stale.status, foreign.status], [412, 422])
  for (const user of [acme.member, acme.viewer]) {
    assert.equal((await user.get(banksUrl)).status, 403)
    assert.equal((await user.get(url)).status, 403)
  }
  assert.equal((await other.manager.get(url)).status, 404)
  const { body: list } = await acme.manager.get(banksUrl)
  assert.deepEqual([list.items.length, list.items[0].question_count], [1, 1])
  assert.equal((await acme.manager.delete(url)).status, 204)
  assert.equal((await acme.manager.get(url)).status, 404)
})
