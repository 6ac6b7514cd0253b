import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import type { StoredAnswer } from '../answers/stored-answers.rules.ts'
import {
  chooseFigures,
  findHiddenParts,
  findShownQuestions,
  isLargeEnough,
  type Respondent,
  selectShownAnswers,
} from './anonymity.rules.ts'

const person: Respondent = { channel: 'email', is_person: true }
const address: Respondent = { channel: 'email', is_person: false }
const visitor: Respondent = { channel: 'link', is_person: false }
const times = (n: number, respondent: Respondent = person): Respondent[] => Array<Respondent>(n).fill(respondent)

test('only contacts and leads make a group large enough, and visitors a group of their own', () => {
  const enough = (...respondents: Respondent[][]) => isLargeEnough(respondents.flat(), 5)

  assert.deepEqual([enough(), enough(times(4)), enough(times(5))], [true, false, true])
  assert.deepEqual([enough(times(4), times(9, visitor)), enough(times(5), times(1, visitor))], [false, true])
  assert.deepEqual([enough(times(4, visitor)), enough(times(5, visitor))], [false, true])
  assert.deepEqual([enough(times(9, address)), enough(times(9, visitor), times(1, address))], [false, false])
  assert.equal(enough(times(5), times(1, address)), true)
})

const hiddenOf = (sizes: Record<string, number>) => {
  const parts = Object.entries(sizes).map(([key, n]) => ({ key, respondents: times(n) }))
  return [...findHiddenParts(parts, 5)].sort().join()
}

test('small parts are hidden, and as many others that the whole does not reveal them', () => {
  assert.equal(hiddenOf({ en: 12, de: 6, fr: 3 }), 'de,fr')
  assert.equal(hiddenOf({ en: 12, de: 6 }), '')
  assert.equal(hiddenOf({ en: 12, fr: 3, it: 2 }), 'fr,it')
  assert.equal(hiddenOf({ en: 12, fr: 4 }), 'en,fr')
  assert.equal(hiddenOf({}), '')
})

test('ten thousand parts beside one own address are all hidden', () => {
  const parts = Array.from({ length: 10_000 }, (_, key) => ({ key, respondents: times(5, visitor) }))

  const hidden = findHiddenParts([...parts, { key: -1, respondents: [address] }], 5)

  assert.equal(hidden.size, 10_001)
})

const cell = (group: string | null, month: string, n: number) => times(n).map((one) => ({ ...one, group, month }))
const figuresOf = (...cells: ReturnType<typeof cell>[]) => {
  const { groups, months } = chooseFigures(cells.flat(), 5)
  return [[...groups].sort().join(), [...months].sort().join()]
}

test('groups and months are shown together only if every group has no or enough scores of every month', () => {
  assert.deepEqual(figuresOf(cell('de', '01', 6), cell('de', '02', 6), cell('en', '02', 5)), ['de,en', '01,02'])
  assert.deepEqual(figuresOf(cell('de', '01', 6), cell('de', '02', 4), cell('en', '02', 5)), ['de,en', ''])
  assert.deepEqual(figuresOf(cell('de', '01', 6), cell('en', '01', 3), cell('de', '02', 6)), ['', '01,02'])
  assert.deepEqual(figuresOf(cell('lead', '01', 6), cell(null, '01', 2)), ['', '01'])
})

const question = (id: string, question_type: string, fields: Partial<Question> = {}) =>
  ({ id, key: id, question_type, is_primary: false, show_if: null, end_if: null, ...fields }) as Question
const answer = (question_id: string, fields: Partial<StoredAnswer> = {}): StoredAnswer => ({
  question_id,
  question_revision: 1,
  is_answered: true,
  value_number: null,
  value_text: null,
  value_options: null,
  value_json: null,
  ...fields,
})

const team = (key: string) => answer('team', { value_options: [key] })
const questions = [
  question('score', 'nps', { is_primary: true }),
  question('team', 'single_choice'),
  question('reason', 'long_text', { show_if: { question: 'score', op: 'lte', value: 6 } }),
  question('boss', 'short_text', { show_if: { question: 'team', op: 'eq', value: 'legal' } }),
]
const base = [answer('score', { value_number: 3 }), answer('reason', { value_text: 'Slow' })]

test('a question that few respondents saw or answered is not shown', () => {
  const responses = Array.from({ length: 9 }, (_, n) => ({
    ...person,
    answers: [...base, ...(n < 4 ? [answer('boss')] : []), answer('team', { is_answered: n < 3 })],
  }))

  assert.deepEqual([...findShownQuestions(responses, questions, 5)], ['score', 'reason'])
})

test('a row shows its choices if they occur often enough, and score and texts in any case', () => {
  const shownOf = (teams: string[]) => {
    const responses = teams.map((key) => ({
      ...person,
      score: 3,
      part: '',
      answers: [...base, team(key), ...(key === 'legal' ? [answer('boss', { value_text: 'B' })] : [])],
    }))
    return selectShownAnswers(responses, questions, 5).map((answers) =>
      answers.map(({ question_id }) => question_id).join(),
    )
  }

  assert.deepEqual(shownOf([...Array(6).fill('sales'), ...Array(5).fill('it')]), Array(11).fill('score,reason,team'))
  assert.deepEqual(shownOf([...Array(6).fill('sales'), 'legal']), Array(7).fill('score,reason'))
  assert.deepEqual(shownOf([...Array(6).fill('sales'), ...Array(5).fill('legal')]), [
    ...Array(6).fill('score,reason,team'),
    ...Array(5).fill('score,reason,team,boss'),
  ])
})
