import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Condition } from '../question-records/condition.schemas.ts'
import { createQuestion, optionsOf } from '../question-records/question.fixture.ts'
import { listConditionProblems, listOrderProblems } from './condition.rules.ts'
import { visiblePath } from './visible-path.rules.ts'

const customer = createQuestion('customer', 'yes_no', { required: true })
const showIf = (value: boolean): Condition => ({ question: 'customer', op: 'eq', value })
const plan = createQuestion('plan', 'short_text', { required: true, show_if: showIf(true) })
const rival = createQuestion('rival', 'short_text', { required: true, show_if: showIf(false) })

test('a survey ends after a shown question whose end_if holds', () => {
  const stop = createQuestion('stop', 'yes_no', { end_if: { question: 'stop', op: 'eq', value: true } })
  const keysOf = (answers: object) => visiblePath([stop, plan, rival], { ...answers }).map(({ key }) => key)

  assert.deepEqual(keysOf({ stop: true, customer: true }), ['stop'])
  assert.deepEqual(keysOf({ stop: false }), ['stop'])
})

test('a hidden question counts as not answered in later conditions', () => {
  const first = createQuestion('first', 'yes_no')
  const second = createQuestion('second', 'yes_no', { show_if: { question: 'first', op: 'eq', value: true } })
  const third = createQuestion('third', 'yes_no', { show_if: { question: 'second', op: 'not_answered' } })
  const keysOf = (answers: object) => visiblePath([first, second, third], { ...answers }).map(({ key }) => key)

  assert.deepEqual(keysOf({ first: false, second: true }), ['first', 'third'])
  assert.deepEqual(keysOf({ first: true, second: true }), ['first', 'second'])
  assert.deepEqual(keysOf({}), ['first', 'third'])
})

test('operators compare numbers, dates, choices and lists of choices', () => {
  const cases: [unknown, string, unknown, boolean][] = [
    [7, 'gte', 7, true],
    [7, 'lt', 7, false],
    ['2026-03-01', 'gt', '2026-02-28', true],
    ['a', 'in', ['a', 'b'], true],
    ['a', 'not_in', ['a', 'b'], false],
    [{ other: 'x' }, 'eq', '_other', true],
    [['a', 'b'], 'contains_all', ['a', 'b'], true],
    [['a'], 'contains_all', ['a', 'b'], false],
    [['a', { other: 'x' }], 'contains_any', ['_other'], true],
    [['a'], 'contains_none', ['b'], true],
    [undefined, 'ne', 'a', false],
    [undefined, 'contains_none', ['b'], false],
  ]

  for (const [given, op, value, expected] of cases) {
    const first = { key: 'first', show_if: null, end_if: null }
    const second = { key: 'second', show_if: { question: 'first', op, value } as Condition, end_if: null }
    const isShown = visiblePath([first, second], { first: given }).length === 2
    assert.equal(isShown, expected, `${JSON.stringify(given)} ${op} ${JSON.stringify(value)}`)
  }
})

test('the visible path is a subsequence of the questions that depends only on visible answers', () => {
  const key = fc.constantFrom('a', 'b', 'c')
  const leaf = fc.record({ question: key, op: fc.constantFrom('answered', 'not_answered', 'eq'), value: fc.boolean() })
  const condition = fc.option(
    fc.oneof(
      leaf,
      fc.record({ any: fc.array(leaf, { minLength: 1, maxLength: 3 }) }),
      fc.record({ all: fc.array(leaf) }),
    ),
  ) as fc.Arbitrary<Condition | null>
  const questions = fc
    .array(fc.record({ show_if: condition, end_if: condition }), { maxLength: 3 })
    .map((parts) => parts.map((part, index) => ({ key: 'abc'[index]!, ...part })))

  fc.assert(
    fc.property(questions, fc.dictionary(key, fc.boolean()), (list, answers) => {
      const shown = visiblePath(list, answers)
      assert.deepEqual(
        shown,
        list.filter((question) => shown.includes(question)),
      )
      const visibleAnswers = Object.fromEntries(
        Object.entries(answers).filter(([name]) => shown.some((question) => question.key === name)),
      )
      assert.deepEqual(visiblePath(list, visibleAnswers), shown)
    }),
  )
})

test('engagement-1-12 conditions name earlier questions with an operator and a value of their type', () => {
  const score = createQuestion('score', 'nps')
  const choice = createQuestion('choice', 'single_choice', { options: optionsOf('a', 'b', 'gone') })
  const targets = new Map([score, choice].map((question) => [question.key, question]))
  const codesOf = (condition: unknown) => listConditionProblems('/show_if', condition, targets).map(({ code }) => code)
  const nested = (depth: number): object =>
    depth ? { all: [nested(depth - 1)] } : { question: 'score', op: 'answered' }

  assert.deepEqual(
    codesOf({
      any: [{ question: 'score', op: 'gte', value: 9 }, { all: [{ question: 'choice', op: 'eq', value: 'a' }] }],
    }),
    [],
  )
  assert.deepEqual(codesOf({ question: 'later', op: 'answered' }), ['unknown_question'])
  assert.deepEqual(codesOf({ question: 'score', op: 'contains_any', value: ['a'] }), ['enum'])
  assert.deepEqual(codesOf({ question: 'choice', op: 'eq', value: 'gone' }), ['invalid_value'])
  assert.deepEqual(codesOf({ question: 'choice', op: 'in', value: ['a', 'x'] }), ['invalid_value'])
  assert.deepEqual(codesOf({ question: 'score', op: 'answered', value: 1 }), ['invalid_value'])
  assert.deepEqual(codesOf({ question: 'score', op: 'eq', value: '9' }), ['invalid_value'])
  assert.deepEqual(codesOf({ all: [] }), ['min_items'])
  assert.deepEqual(codesOf({ question: 'score', op: 'answered', more: 1 }), ['format'])
  assert.deepEqual(codesOf(nested(2)), [])
  assert.deepEqual(codesOf(nested(3)), ['max_depth'])
  assert.deepEqual(
    codesOf({ all: Array.from({ length: 2 }, () => ({ any: Array(11).fill({ question: 'score', op: 'answered' }) })) }),
    ['max_items'],
  )
})

test('engagement-1-12 an order in which a condition names a later question is a problem', () => {
  assert.deepEqual(
    listOrderProblems([customer, plan], (_, index) => `/question_ids/${index}`),
    [],
  )
  assert.deepEqual(
    listOrderProblems([plan, customer], (_, index) => `/question_ids/${index}`).map(({ path, code }) => [path, code]),
    [['/question_ids/0/show_if/question', 'unknown_question']],
  )
})
