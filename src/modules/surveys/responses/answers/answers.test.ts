import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '../../design/question-records/condition.schemas.ts'
import { createQuestion, optionsOf } from '../../design/question-records/question.fixture.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { checkAnswers } from './check-answers.rules.ts'
import { statDeltasOf, sumStatDeltas, toAnswerValue, toStoredAnswer } from './stored-answers.rules.ts'

const matrixParts = (...keys: string[]) => keys.map((key) => ({ key, label: key }))
const isValid = (question: Question, value: unknown) =>
  checkAnswers([question], { [question.key]: value }, { isComplete: true }).problems.length === 0

const customer = createQuestion('customer', 'yes_no', { required: true })
const showIf = (value: boolean): Condition => ({ question: 'customer', op: 'eq', value })
const plan = createQuestion('plan', 'short_text', { required: true, show_if: showIf(true) })
const rival = createQuestion('rival', 'short_text', { required: true, show_if: showIf(false) })

test('each question type accepts its answers and rejects others', () => {
  const choices = { options: optionsOf('a', 'b', 'none', 'gone') }
  const cases: [Question, unknown[], unknown[]][] = [
    [createQuestion('q', 'nps'), [0, 10], [-1, 11, 5.5, '5', true]],
    [createQuestion('q', 'csat'), [1, 5], [0, 6]],
    [createQuestion('q', 'ces'), [1, 7], [0, 8]],
    [createQuestion('q', 'rating', { rules: { scale: 3 } }), [1, 3], [0, 4]],
    [createQuestion('q', 'single_choice', choices), ['a'], ['gone', 'x', ['a'], { other: 'x' }, 1]],
    [
      createQuestion('q', 'single_choice', { ...choices, rules: { allow_other: true } }),
      ['b', { other: 'Word of mouth' }],
      [{ other: ' ' }, { other: 'x', more: 1 }, { other: 'x'.repeat(501) }],
    ],
    [
      createQuestion('q', 'multiple_choice', { ...choices, rules: { max_selected: 2, allow_other: true } }),
      [['a', 'b'], ['none'], ['a', { other: 'x' }]],
      [['a', 'a'], ['a', 'none'], ['a', 'b', { other: 'x' }], 'a', [{ other: 'x' }, { other: 'y' }]],
    ],
    [createQuestion('q', 'multiple_choice', { ...choices, rules: { min_selected: 2 } }), [['a', 'b']], [['a']]],
    [createQuestion('q', 'ranking', { options: optionsOf('a', 'b') }), [['b', 'a']], [['a'], ['a', 'a'], ['a', 'x']]],
    [createQuestion('q', 'ranking', { options: optionsOf('a', 'b'), rules: { rank_all: false } }), [['a']], [['x']]],
    [
      createQuestion('q', 'matrix', {
        required: true,
        rules: { rows: matrixParts('r', 's'), columns: matrixParts('x', 'y') },
      }),
      [{ r: 'x', s: 'x' }],
      [{ r: 'x' }, { r: 'z', s: 'x' }, { t: 'x' }, ['x'], { constructor: 'x' }],
    ],
    [createQuestion('q', 'short_text', { rules: { max_length: 3 } }), ['abc'], ['abcd', 5, ['a']]],
    [createQuestion('q', 'short_text', { rules: { format: 'digits' } }), ['123'], ['12a']],
    [
      createQuestion('q', 'short_text', { rules: { format: 'url' } }),
      ['https://acme.example/x'],
      ['javascript:alert(1)'],
    ],
    [createQuestion('q', 'short_text', { rules: { format: 'phone' } }), ['+49 30 1234'], ['call me']],
    [createQuestion('q', 'long_text'), ['x'.repeat(5_000)], ['x'.repeat(5_001)]],
    [
      createQuestion('q', 'number', { rules: { min: 0, max: 10, decimals: 1 } }),
      [0, 9.5],
      [-1, 10.5, 1.25, '3', 1e300],
    ],
    [
      createQuestion('q', 'date', { rules: { min: '2026-01-01' } }),
      ['2026-01-01'],
      ['2025-12-31', '2026-02-30', 'today'],
    ],
    [createQuestion('q', 'email'), ['ada@acme.example'], ['ada', 'ada@acme']],
    [createQuestion('q', 'yes_no'), [true, false], ['yes', 1]],
    [createQuestion('q', 'statement'), [], ['read', true]],
    [createQuestion('q', 'consent', { required: true }), [true], [false]],
    [createQuestion('q', 'consent'), [true, false], ['on']],
  ]

  for (const [question, accepted, rejected] of cases) {
    for (const value of accepted)
      assert.ok(isValid(question, value), `${question.question_type} ${JSON.stringify(value)}`)
    for (const value of rejected)
      assert.ok(!isValid(question, value), `${question.question_type} ${JSON.stringify(value)}`)
  }
})

test('engagement-1-3 only questions on the visible path are required, and answers to others are dropped', () => {
  const check = (answers: object) => checkAnswers([customer, plan, rival], { ...answers }, { isComplete: true })

  const complete = check({ customer: true, plan: 'Pro', rival: 'Other Inc' })
  assert.deepEqual(complete.problems, [])
  assert.deepEqual(
    complete.shown.map(({ question }) => question.key),
    ['customer', 'plan'],
  )
  assert.deepEqual(
    check({ customer: false }).problems.map(({ path, code }) => [path, code]),
    [['/answers/rival', 'required']],
  )
})

test('all problems of the answers are reported at once, and answers to archived questions are dropped', () => {
  const archived = { ...createQuestion('old', 'number'), archived_at: new Date() }
  const { problems } = checkAnswers(
    [createQuestion('score', 'nps', { required: true }), createQuestion('reason', 'long_text'), archived],
    { score: 11, reason: 7, old: 'x', __proto__: null, unknown: 1 },
    { isComplete: true },
  )

  assert.deepEqual(
    problems.map(({ path }) => path),
    ['/answers/score', '/answers/reason', '/answers/unknown'],
  )
})

test('a stored answer is returned as it was sent, and counts in its buckets', () => {
  const ranking = createQuestion('ranking', 'ranking', { options: optionsOf('a', 'b') })
  const multiple = createQuestion('multiple', 'multiple_choice', {
    options: optionsOf('a'),
    rules: { allow_other: true },
  })
  const cases: [Question, unknown, [string, number][]][] = [
    [createQuestion('q', 'nps'), 9, [['9', 9]]],
    [createQuestion('q', 'number', { rules: { decimals: 2 } }), 2.25, [['*', 2.25]]],
    [createQuestion('q', 'yes_no'), false, [['no', 0]]],
    [createQuestion('q', 'single_choice', { options: optionsOf('a', 'b') }), 'a', [['a', 0]]],
    [
      multiple,
      ['a', { other: 'x' }],
      [
        ['*', 0],
        ['a', 0],
        ['_other', 0],
      ],
    ],
    [
      ranking,
      ['b', 'a'],
      [
        ['*', 0],
        ['1:b', 1],
        ['2:a', 2],
      ],
    ],
    [
      createQuestion('q', 'matrix'),
      { r: 'x' },
      [
        ['*', 0],
        ['r:x', 0],
      ],
    ],
    [createQuestion('q', 'date'), '2026-01-01', [['*', 0]]],
    [createQuestion('q', 'long_text'), 'Good', [['*', 0]]],
  ]

  for (const [question, value, buckets] of cases) {
    const stored = toStoredAnswer(question, value)
    assert.deepEqual(toAnswerValue(question.question_type, stored), value)
    assert.deepEqual(
      statDeltasOf(question.question_type, stored).map(({ bucket, sum }) => [bucket, sum]),
      buckets,
    )
  }
  const skipped = statDeltasOf('nps', toStoredAnswer(createQuestion('q', 'nps'), undefined))
  assert.deepEqual(skipped, [{ question_id: 'q', bucket: '_skipped', n: 1, sum: 0 }])
})

test('figures of the same bucket are added', () => {
  const deltas = ['b', 'a', 'b'].map((bucket) => ({ bucket, n: 1, sum: 2 }))

  assert.deepEqual(
    sumStatDeltas(deltas, ({ bucket }) => bucket),
    [
      { bucket: 'a', n: 1, sum: 2 },
      { bucket: 'b', n: 2, sum: 4 },
    ],
  )
})
