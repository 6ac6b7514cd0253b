import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AppError, type InputError } from '#platform/errors'
import { assertAnswersFit } from './answers.rules.ts'
import { canDraw, drawQuestions } from './draw-questions.rules.ts'
import { gradeModule, gradeQuiz } from './grading.rules.ts'
import type { AskedQuestion, OwnedQuestion, StoredQuestion } from './question-spec.ts'
import { listQuestionProblems, normalizeText, presentToLearner, shuffle, toStoredQuestion } from './questions.rules.ts'
import type { Answer, NewQuestion } from './questions.schemas.ts'

const settings = { partial_credit: true, passing_score: 80 }
const store = (question: Partial<NewQuestion>, existing?: StoredQuestion): StoredQuestion =>
  toStoredQuestion({ kind: 'single', text: 'Question?', ...question }, { position: 1, existing })
const options = (...texts: [string, boolean][]) => ({ options: texts.map(([text, correct]) => ({ text, correct })) })
const chosen = ({ spec }: AskedQuestion, ...texts: string[]) =>
  texts.map((text) => spec.options!.find((option) => option.text === text)!.id)
const grade = (question: AskedQuestion, answer: Omit<Answer, 'question_id'>, partial_credit = true) =>
  gradeQuiz([question], [{ question_id: question.id, ...answer }], { ...settings, partial_credit }).score

const single = store({ ...options(['a', true], ['b', false]) })
const multiple = store({
  kind: 'multiple',
  points: 4,
  ...options(['a', true], ['b', true], ['c', false], ['d', false]),
})
const numeric = store({ kind: 'numeric', points: 2, value: 0.3, tolerance: 0.1 })
const shortText = store({ kind: 'short_text', points: 3, accepted: ['Single sign-on', 'SSO'] })
const ordering = store({ kind: 'ordering', items: ['a', 'b', 'c', 'd'] })
const matching = store({
  kind: 'matching',
  pairs: ['a', 'b', 'c'].map((left) => ({ left, right: left.toUpperCase() })),
})

test('enablement-5-4 the worked example has 50.00 points, and 30.00 without partial credit', () => {
  const questions = [single, multiple, numeric, shortText]
  const answers = [
    { question_id: single.id, option_ids: chosen(single, 'a') },
    { question_id: multiple.id, option_ids: chosen(multiple, 'a', 'b', 'c') },
    { question_id: numeric.id, number: 0.4 },
    { question_id: shortText.id, text: 'passwords' },
  ]

  const withCredit = gradeQuiz(questions, answers, settings)
  const without = gradeQuiz(questions, answers, { ...settings, partial_credit: false })

  const { earned, possible, score, passed } = withCredit
  assert.deepEqual({ earned, possible, score, passed }, { earned: 5, possible: 10, score: 50, passed: false })
  assert.deepEqual([without.earned, without.score], [3, 30])
  assert.deepEqual(
    withCredit.results.map((result) => result.earned),
    [1, 2, 2, 0],
  )
})

test('each kind of question is graded by its rule', () => {
  const ids = (question: AskedQuestion, ...texts: string[]) =>
    texts.map((text) => question.spec.items!.find((item) => item.text === text)!.id)
  const pairs = (...names: string[]) =>
    names.map((name) => ({
      left_id: matching.spec.pairs!.find(({ left }) => left === name[0])!.left_id,
      right_id: matching.spec.pairs!.find(({ right }) => right === name[1])!.right_id,
    }))

  assert.equal(grade(single, { option_ids: chosen(single, 'a', 'b') }), 0)
  assert.equal(grade(multiple, { option_ids: chosen(multiple, 'a', 'b') }), 100)
  assert.equal(grade(multiple, { option_ids: chosen(multiple, 'a') }), 50)
  assert.equal(grade(multiple, { option_ids: chosen(multiple, 'a') }, false), 0)
  assert.equal(grade(multiple, { option_ids: chosen(multiple, 'a', 'c', 'd') }), 0)
  assert.equal(grade(multiple, {}), 0)
  assert.deepEqual(
    [0.4, 0.2, 0.41, 0.1999].map((number) => grade(numeric, { number })),
    [100, 100, 0, 0],
  )
  assert.deepEqual(
    ['  single   SIGN-ON. ', 'sso!', '', 'single-sign-on'].map((text) => grade(shortText, { text })),
    [100, 100, 0, 0],
  )
  assert.equal(grade(ordering, { order: ids(ordering, 'a', 'b', 'd', 'c') }), 50)
  assert.equal(grade(ordering, { order: ids(ordering, 'a', 'b', 'd', 'c') }, false), 0)
  assert.equal(grade(ordering, { order: ids(ordering, 'a', 'b', 'c', 'd') }, false), 100)
  assert.equal(grade(matching, { pairs: pairs('aA', 'bC', 'cB') }), 33.33)
  assert.equal(grade(matching, { pairs: pairs('aA', 'bB', 'cC') }, false), 100)
  assert.equal(grade(matching, { pairs: pairs('aA', 'aB', 'aC', 'bB', 'bA') }), 0, 'all combinations earn nothing')
})

test('a quiz passes by its exact points, not by the rounded score', () => {
  const questions = [1, 2, 3].map(() => ({ ...ordering, id: crypto.randomUUID() }))
  const half = (question: AskedQuestion) => ({
    question_id: question.id,
    order: question.spec.items!.map(({ id }, index, all) => (index === 3 ? all[0]!.id : id)),
  })
  const graded = (passing_score: number) => gradeQuiz(questions, questions.map(half), { ...settings, passing_score })

  assert.deepEqual([graded(75).score, graded(75).passed, graded(76).passed], [75, true, false])
  const thirds = gradeModule([{ earned: 2, possible: 3 }], { grading: 'highest', passing_score: 67 })
  assert.deepEqual(thirds, { score: 66.67, passed: false })
})

test('the score of a module follows from its attempts', () => {
  const attempts = [50, 90, 70].map((earned) => ({ earned, possible: 100 }))
  const scoreBy = (grading: 'highest' | 'latest' | 'first' | 'average') =>
    gradeModule(attempts, { grading, passing_score: 80 })

  assert.deepEqual(scoreBy('highest'), { score: 90, passed: true })
  assert.deepEqual(scoreBy('latest'), { score: 70, passed: false })
  assert.deepEqual(scoreBy('first'), { score: 50, passed: false })
  assert.deepEqual(scoreBy('average'), { score: 70, passed: false })
})

test('questions that lack what their kind needs are rejected', () => {
  const codesOf = (...questions: object[]) =>
    listQuestionProblems(questions as NewQuestion[], '/questions').map(({ path, code }) => `${path} ${code}`)
  const text = 'Question?'

  assert.deepEqual(codesOf({ kind: 'single', text }), ['/questions/0/options required'])
  assert.deepEqual(codesOf({ kind: 'single', text, ...options(['a', true], ['b', true]) }), [
    '/questions/0/options invalid_answer',
  ])
  assert.deepEqual(codesOf({ kind: 'multiple', text, ...options(['a', false], ['b', false]) }), [
    '/questions/0/options invalid_answer',
  ])
  assert.deepEqual(codesOf({ kind: 'true_false', text, ...options(['a', true], ['b', false], ['c', false]) }), [
    '/questions/0/options maxItems',
  ])
  assert.deepEqual(codesOf({ kind: 'numeric', text, value: 1, accepted: ['1'] }), ['/questions/0/accepted not_allowed'])
  assert.deepEqual(codesOf({ kind: 'ordering', text, items: ['a', 'a'] }), ['/questions/0/items duplicate'])
  assert.deepEqual(codesOf({ kind: 'short_text', text, accepted: ['?!'] }), ['/questions/0/accepted invalid_answer'])
  const numericQuestion = { id: single.id, kind: 'numeric', text, value: 1 }
  assert.deepEqual(codesOf(numericQuestion, numericQuestion), ['/questions/1/id duplicate'])
})

test('the view of a learner has no answers, and the same seed gives the same order', () => {
  const questions = [single, multiple, numeric, shortText, ordering, matching]
  const show = (seed: string) =>
    questions.map((question) => presentToLearner(question, { seed, shufflesOptions: true }))

  for (const question of show('1'))
    assert.deepEqual(
      Object.keys(question).filter(
        (key) => !['id', 'kind', 'text', 'points', 'options', 'items', 'lefts', 'rights'].includes(key),
      ),
      [],
    )
  assert.deepEqual(show('1'), show('1'))
  assert.ok(!JSON.stringify(show('1')).match(/correct|explanation|accepted|tolerance|value/))
  const orders = new Set(
    ['1', '2', '3', '4', '5', '6', '7', '8'].map((seed) =>
      shuffle(ordering.spec.items!, seed)
        .map(({ text }) => text)
        .join(''),
    ),
  )
  assert.ok(orders.size > 1)
})

test('parts with the same text keep their ids when a question is replaced', () => {
  const replaced = store({ text: 'Better?', ...options(['a', false], ['new', true]) }, single)

  assert.equal(replaced.id, single.id)
  assert.equal(replaced.spec.options![0]!.id, single.spec.options![0]!.id)
  assert.notEqual(replaced.spec.options![1]!.id, single.spec.options![1]!.id)
})

test('answers to unknown questions and parts are rejected', () => {
  const pathsOf = (...answers: Answer[]) => {
    try {
      assertAnswersFit([single, ordering, matching], answers)
      return []
    } catch (error) {
      return (error as AppError & { extra: { errors: InputError[] } }).extra.errors.map(
        ({ path, code }) => `${path} ${code}`,
      )
    }
  }

  assert.deepEqual(pathsOf({ question_id: multiple.id }), ['/answers/0/question_id unknown_reference'])
  assert.deepEqual(pathsOf({ question_id: single.id }, { question_id: single.id }), [
    '/answers/1/question_id duplicate',
  ])
  assert.deepEqual(pathsOf({ question_id: single.id, option_ids: ['x'] }), ['/answers/0/option_ids unknown_reference'])
  assert.deepEqual(pathsOf({ question_id: ordering.id, order: ['x'] }), ['/answers/0/order unknown_reference'])
  assert.deepEqual(pathsOf({ question_id: matching.id, pairs: [{ left_id: 'x', right_id: 'y' }] }), [
    '/answers/0/pairs unknown_reference',
  ])
  assert.deepEqual(pathsOf({ question_id: single.id, option_ids: chosen(single, 'a') }), [])
})

test('drawn questions are not repeated, and too few are refused', () => {
  const questions: OwnedQuestion[] = Array.from({ length: 20 }, (_, index) => ({
    ...store(options(['a', true], ['b', false])),
    bank_id: 'bank',
    module_id: null,
    topic: index % 2 ? 'odd' : 'even',
  }))
  const draw = (count: number, topics?: string[]) => drawQuestions([{ bank_id: 'bank', count, topics }], questions)

  assert.equal(new Set(draw(20)).size, 20)
  assert.deepEqual([...new Set(draw(10, ['odd']).map(({ topic }) => topic))], ['odd'])
  assert.throws(
    () => draw(30),
    (error) => error instanceof AppError && error.code === 'not_enough_questions',
  )
  assert.throws(() => draw(11, ['odd']))
  const twice = [5, 15].map((count) => ({ bank_id: 'bank', count }))
  assert.equal(new Set(drawQuestions(twice, questions)).size, 20)
  const overlapping = [
    { bank_id: 'bank', count: 10 },
    { bank_id: 'bank', count: 10, topics: ['odd'] },
  ]
  for (let run = 0; run < 20; run++) {
    const drawn = drawQuestions(overlapping, questions)
    assert.equal(new Set(drawn).size, 20, 'the first draw leaves the questions that only the second can use')
  }
  assert.ok(!canDraw([...overlapping, { bank_id: 'bank', count: 1 }], questions))
})

test('texts are compared without case, repeated spaces and final punctuation', () => {
  assert.equal(normalizeText('  The  Answer … ?!'), 'the answer')
  assert.equal(normalizeText('ＳＳＯ.'), 'sso')
})
