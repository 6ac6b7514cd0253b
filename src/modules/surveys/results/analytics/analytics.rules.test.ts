import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import type { AnswerSum } from './analytics.queries.ts'
import { rateOf, toQuestionFigures } from './question-figures.rules.ts'
import { chooseInterval, listPeriods, periodStart, toTrend } from './trend.rules.ts'

test('the range decides about the interval', () => {
  assert.equal(chooseInterval('2026-05-01', '2026-05-31'), 'day')
  assert.equal(chooseInterval('2026-05-01', '2026-06-01'), 'week')
  assert.equal(chooseInterval('2026-01-01', '2026-07-01'), 'week')
  assert.equal(chooseInterval('2026-01-01', '2026-07-02'), 'month')
})

test('weeks begin on Monday, months on their first day', () => {
  assert.equal(periodStart('2026-05-03', 'week'), '2026-04-27')
  assert.equal(periodStart('2026-05-04', 'week'), '2026-05-04')
  assert.deepEqual(listPeriods('2026-01-31', '2026-03-01', 'month'), ['2026-01-01', '2026-02-01', '2026-03-01'])
  assert.deepEqual(listPeriods('2026-04-29', '2026-05-10', 'week'), ['2026-04-27', '2026-05-04'])
  assert.equal(listPeriods('2020-01-01', '2026-01-01', 'day').length, 401)
})

const days = [
  { day: '2026-05-04', score: 10, n: 2 },
  { day: '2026-05-05', score: 3, n: 1 },
  { day: '2026-05-18', score: 9, n: 4 },
]

test('a trend has a value per period and null where no response is', () => {
  const trend = toTrend('nps', days, ['2026-05-04', '2026-05-11', '2026-05-18'], { interval: 'week', isHidden: false })

  assert.deepEqual(trend, [
    { period_start_on: '2026-05-04', n: 3, nps: 33.3, suppressed: false },
    { period_start_on: '2026-05-11', n: 0, nps: null, suppressed: false },
    { period_start_on: '2026-05-18', n: 4, nps: 100, suppressed: false },
  ])
})

test('engagement-1-10 months without a figure are empty, or hidden if scores are missing', () => {
  const seen = [false, true].map((isHidden) =>
    toTrend('csat', days, ['2026-05-01', '2026-06-01'], { interval: 'month', isHidden }).map(({ n, suppressed }) => [
      n,
      suppressed,
    ]),
  )

  assert.deepEqual(seen, [
    [
      [7, false],
      [0, false],
    ],
    [
      [7, false],
      [null, true],
    ],
  ])
})

const label = (en: string) => ({ en })
const question = (question_type: Question['question_type'], rest: Partial<Question> = {}) =>
  ({
    id: 'q',
    key: 'q',
    question_type,
    title: label('Q'),
    revision: 1,
    archived_at: null,
    options: [],
    rules: {},
    ...rest,
  }) as Question
const figuresOf = (of: Question, counts: Record<string, number>, average = 0) => {
  const sums = Object.entries(counts).map(([bucket, n]): AnswerSum => ({ question_id: 'q', bucket, n, average }))
  return toQuestionFigures(of, new Map(sums.map((sum) => [sum.bucket, sum])), { median: 7.5, texts: ['Hi'] })
}
const option = (key: string, archived = false) => ({ key, label: label(key), exclusive: false, archived })

test('scales have a distribution over all values, an average and an exact median', () => {
  const nps = figuresOf(question('nps'), { 10: 2, 9: 3, 8: 1, 7: 1, 6: 1, 3: 1, 0: 1, _skipped: 4 })
  const even = figuresOf(question('rating', { rules: { scale: 3 } }), { 1: 1, 2: 1, 3: 2 })

  assert.deepEqual([nps.answered, nps.skipped, nps.average, nps.median], [10, 4, 7.1, 8.5])
  assert.equal(nps.distribution.length, 11)
  assert.deepEqual(nps.distribution[9], { key: '9', label: null, count: 3, rate: 0.3 })
  assert.deepEqual([even.average, even.median], [2.25, 2.5])
  const empty = figuresOf(question('csat'), {})
  assert.deepEqual([empty.answered, empty.average, empty.distribution[0]!.rate], [0, null, null])
  assert.ok(!JSON.stringify(empty).includes('NaN'))
})

test('rates of a multiple choice are shares of the responses, so their sum may exceed 1', () => {
  const options = [option('a'), option('b'), option('old', true), option('gone', true)]
  const multiple = figuresOf(question('multiple_choice', { options }), { '*': 4, a: 4, b: 3, old: 1 })

  assert.equal(multiple.answered, 4)
  assert.deepEqual(
    multiple.distribution.map(({ key, count, rate }) => [key, count, rate]),
    [
      ['a', 4, 1],
      ['b', 3, 0.75],
      ['old', 1, 0.25],
    ],
  )
  const other = figuresOf(question('single_choice', { options: [option('a')], rules: { allow_other: true } }), { a: 1 })
  assert.deepEqual(
    other.distribution.map(({ count, rate }) => [count, rate]),
    [
      [1, 1],
      [0, 0],
    ],
  )
})

test('a ranking has the mean position of each option', () => {
  const ranking = figuresOf(question('ranking', { options: [option('a'), option('b')] }), {
    '*': 3,
    '1:a': 2,
    '2:b': 2,
    '1:b': 1,
    '2:a': 1,
  })

  assert.deepEqual(
    ranking.distribution.map(({ key, count, mean_rank }) => [key, count, mean_rank]),
    [
      ['a', 3, 1.33],
      ['b', 3, 1.67],
    ],
  )
})

test('a matrix has a distribution per row, and numbers have an average and the median of the sample', () => {
  const part = (key: string) => ({ key, label: label(key) })
  const rules = { rows: [part('speed'), part('price')], columns: [part('good'), part('bad')] }
  const matrix = figuresOf(question('matrix', { rules }), { '*': 2, 'speed:good': 1, 'speed:bad': 1, 'price:bad': 1 })
  const number = figuresOf(question('number'), { '*': 3 }, 12.67)

  assert.equal(matrix.answered, 2)
  assert.deepEqual(
    matrix.rows!.map(({ key, distribution }) => [key, distribution.map(({ rate }) => rate)]),
    [
      ['speed', [0.5, 0.5]],
      ['price', [0, 1]],
    ],
  )
  assert.deepEqual([number.answered, number.average, number.median], [3, 12.67, 7.5])
  assert.deepEqual(figuresOf(question('yes_no'), { yes: 3, no: 1 }).distribution[0]!.rate, 0.75)
  assert.deepEqual(figuresOf(question('long_text'), { '*': 2 }).latest_texts, ['Hi'])
})

test('engagement-1-15 responses through the link are not part of the response rate', () => {
  assert.equal(rateOf(57, 200 - 10), 0.3)
  assert.equal(rateOf(0, 0), null)
})
