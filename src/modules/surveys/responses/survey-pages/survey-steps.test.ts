import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAnswer, shuffleOptions, toFields } from './answer-fields.rules.ts'
import { describeProblem } from './answer-problems.rules.ts'
import type { FormFields } from './page-question.ts'
import { buildQuestionPage, type SurveyView } from './survey-page.ts'
import {
  firstStep,
  keepValidAnswers,
  nextStep,
  progressOf,
  rejectedStep,
  type StepQuestion,
} from './survey-steps.rules.ts'
import { textsIn } from './texts/survey-texts.ts'

const question = (key: string, more: Partial<StepQuestion> = {}): StepQuestion => ({
  key,
  question_type: 'short_text',
  title: `Title of ${key}`,
  help: null,
  required: false,
  options: [],
  rules: { max_length: 500 },
  show_if: null,
  end_if: null,
  ...more,
})
const options = ['red', 'green', 'blue'].map((key) => ({ key, label: key.toUpperCase() }))
const score = question('score', { question_type: 'nps', required: true, rules: {} })
const reason = question('reason', { show_if: { question: 'score', op: 'lte', value: 6 } })
const color = question('color', { question_type: 'single_choice', options, rules: { allow_other: true } })
const colors = question('colors', {
  question_type: 'multiple_choice',
  options,
  rules: { allow_other: true, min_selected: 2, max_selected: 2 },
})
const rank = question('rank', { question_type: 'ranking', options, rules: { rank_all: true } })
const parts = question('parts', {
  question_type: 'matrix',
  required: true,
  rules: {
    rows: [
      { key: 'setup', label: 'Setup' },
      { key: 'support', label: 'Support' },
    ],
    columns: [
      { key: 'good', label: 'Good' },
      { key: 'bad', label: 'Bad' },
    ],
  },
})
const amount = question('amount', { question_type: 'number', rules: { min: 1, max: 9, decimals: 1 } })
const consent = question('consent', { question_type: 'consent', required: true, rules: {} })
const statement = question('hello', { question_type: 'statement', rules: {} })
const survey = [score, reason, color, colors]

const submit = (fields: FormFields, answers = {}, { stepKey = 'score', isBack = false, questions = survey } = {}) =>
  nextStep(questions, { stepKey, isBack, answers, fields })
const shownKey = (step: ReturnType<typeof nextStep>) => ('shown' in step ? step.shown.question.key : 'completed')
const problemOf = (asked: StepQuestion, fields: FormFields) => {
  const step = submit(fields, {}, { stepKey: asked.key, questions: [asked] })
  return 'shown' in step && step.shown.problem
    ? describeProblem(asked, step.shown.problem.code, textsIn('en'))
    : undefined
}

test('the next page shows the question that the answer leads to', () => {
  assert.equal(shownKey(submit({ 'a.score': '3' })), 'reason')
  assert.equal(shownKey(submit({ 'a.score': '9' })), 'color')
})

test('a changed answer hides the questions that depended on it, and the last page completes the survey', () => {
  const changed = submit({ 'a.score': '10' }, { score: 2, reason: 'Slow', color: 'red' })
  const completed = submit(
    { 'a.colors.red': '1', 'a.colors.blue': '1' },
    { score: 10, reason: 'Slow', color: 'red' },
    { stepKey: 'colors' },
  )

  assert.equal(shownKey(changed), 'color')
  assert.deepEqual(completed, { completed: { score: 10, reason: 'Slow', color: 'red', colors: ['red', 'blue'] } })
})

test('going back keeps a valid answer, drops an invalid one and never shows an error', () => {
  const answers = { score: 9, color: 'red' }
  const kept = submit({ 'a.colors.red': '1', 'a.colors.blue': '1' }, answers, { stepKey: 'colors', isBack: true })
  const dropped = submit({ 'a.colors.red': '1' }, answers, { stepKey: 'colors', isBack: true })
  const first = submit({}, {}, { isBack: true })

  assert.deepEqual('shown' in kept && [kept.shown.fields, kept.shown.answers], [
    { 'a.color': 'red' },
    { score: 9, colors: ['red', 'blue'] },
  ])
  assert.deepEqual('shown' in dropped && [dropped.shown.answers, dropped.shown.problem], [{ score: 9 }, undefined])
  assert.equal(shownKey(first), 'score')
  assert.equal('shown' in first && first.shown.problem, undefined)
})

test('a page of a question that is not shown any more continues at the first question without an answer', () => {
  assert.equal(shownKey(submit({}, { score: 9 }, { stepKey: 'reason' })), 'color')
  assert.equal(shownKey(submit({}, { score: 9 }, { stepKey: 'deleted' })), 'color')
  assert.equal(firstStep(survey, {}).question.key, 'score')
  assert.equal(firstStep([statement, score], {}).question.key, 'hello')
  assert.equal(firstStep([statement, score], { score: 1 }).question.key, 'score')
})

test('an answer with a problem is shown again with its input and an instruction', () => {
  const step = submit({ 'a.parts.setup': 'good' }, {}, { stepKey: 'parts', questions: [parts] })

  assert.deepEqual('shown' in step && step.shown.problem, {
    code: 'required',
    isMissing: true,
    missingRows: ['support'],
  })
  assert.deepEqual('shown' in step && step.shown.fields, { 'a.parts.setup': 'good' })
  assert.equal(problemOf(score, {}), 'Choose a number from 0 to 10.')
  assert.equal(problemOf(score, { 'a.score': '11' }), 'Choose a number from 0 to 10.')
  assert.equal(problemOf(score, { 'a.score': '1e0' }), 'Choose a number from 0 to 10.')
  assert.equal(problemOf(color, { 'a.color': '_other' }), 'Write your answer in the field below “Something else”.')
  assert.equal(problemOf(color, { 'a.color': 'purple' }), 'Choose an answer.')
  assert.equal(problemOf(colors, { 'a.colors.red': '1' }), 'Choose 2.')
  assert.equal(problemOf(rank, { 'a.rank.red': '1', 'a.rank.blue': '1' }), 'Give each place only once.')
  assert.equal(problemOf(rank, { 'a.rank.red': '1' }), 'Give every option a place.')
  assert.equal(problemOf(amount, { 'a.amount': 'many' }), 'Enter a number.')
  assert.equal(problemOf(amount, { 'a.amount': '10' }), 'Enter 9 or less.')
  assert.equal(problemOf(amount, { 'a.amount': '1.25' }), 'Enter a number with at most 1 decimal place.')
  assert.equal(problemOf(consent, {}), 'Agree to continue.')
  assert.equal(
    problemOf(question('link', { rules: { format: 'url', max_length: 9 } }), { 'a.link': 'x' })?.slice(0, 19),
    'Enter a web address',
  )
})

test('empty fields of optional questions count as unanswered', () => {
  for (const asked of [color, { ...colors, rules: {} }, rank, amount, question('text')])
    assert.deepEqual(submit({ [`a.${asked.key}`]: '' }, {}, { stepKey: asked.key, questions: [asked] }), {
      completed: {},
    })
})

test('the fields of a page have the same answer when they are read again', () => {
  const cases: [StepQuestion, unknown][] = [
    [score, 0],
    [color, 'green'],
    [color, { other: 'Purple & "pink"' }],
    [colors, ['red', { other: 'Purple' }]],
    [rank, ['blue', 'red', 'green']],
    [parts, { setup: 'good', support: 'bad' }],
    [amount, 2.5],
    [question('text', { question_type: 'long_text' }), 'two\nlines'],
    [question('day', { question_type: 'date', rules: {} }), '2030-02-28'],
    [question('yes', { question_type: 'yes_no', rules: {} }), false],
    [consent, true],
  ]

  for (const [asked, value] of cases) assert.deepEqual(readAnswer(asked, toFields(asked, value)), { value }, asked.key)
})

test('a text is read with its line breaks and a number with a decimal comma', () => {
  assert.deepEqual(readAnswer(question('text'), { 'a.text': ' one\r\ntwo ' }), { value: 'one\ntwo' })
  assert.deepEqual(readAnswer(amount, { 'a.amount': '2,5' }), { value: 2.5 })
  assert.deepEqual(readAnswer(color, { 'a.color._other': 'Purple' }), { value: { other: 'Purple' } })
})

test('answers that do not fit their questions are left out', () => {
  const answers = { score: 11, color: 'green', colors: 'red', unknown: 1, reason: '', __proto__: { polluted: true } }

  assert.deepEqual(keepValidAnswers(survey, answers), { color: 'green' })
  for (const hostile of [{ color: { other: { other: 'x' } } }, { color: ['red'] }, { color: {} }, { color: null }])
    assert.deepEqual(keepValidAnswers(survey, hostile), {})
  assert.deepEqual(toFields(color, { length: 3 }), {})
})

test('an answer that the survey rejects at the end is shown with its instruction', () => {
  const shown = rejectedStep(survey, { score: 9, color: 'red' }, [{ key: 'color', code: 'enum' }])

  assert.deepEqual(shown && [shown.question.key, shown.problem?.code, shown.answers], ['color', 'enum', { score: 9 }])
  assert.equal(rejectedStep(survey, {}, [{ key: 'deleted', code: 'enum' }]), undefined)
})

test('progress has no total while answers can change it', () => {
  const open = progressOf(survey, firstStep(survey, {}))
  const fixed = progressOf(survey, { question: color, answers: { score: 9 }, fields: {} })
  const last = progressOf(survey, { question: colors, answers: { score: 3 }, fields: {} })

  assert.deepEqual(open, { number: 1, total: null, value: 1, max: 8, isLast: false })
  assert.deepEqual(fixed, { number: 2, total: 3, value: 3, max: 6, isLast: false })
  assert.deepEqual(last, { number: 4, total: 4, value: 7, max: 8, isLast: true })
})

test('shuffled options have an order per respondent, and exclusive ones stay at the end', () => {
  const many = Array.from({ length: 20 }, (_, at) => ({ key: `o${at}`, label: '', exclusive: at === 0 }))
  const orders = ['a', 'b'].map((seed) => shuffleOptions(many, seed).map(({ key }) => key))

  assert.deepEqual(
    shuffleOptions(many, 'a').map(({ key }) => key),
    orders[0],
  )
  assert.notDeepEqual(orders[0], orders[1])
  assert.deepEqual(orders[0]!.toSorted(), many.map(({ key }) => key).toSorted())
  assert.deepEqual([orders[0]!.at(-1), orders[1]!.at(-1)], ['o0', 'o0'])
})

test('no text of a survey or of a respondent becomes HTML, and texts of the page have their language', () => {
  const hostile = `"><script>alert(1)</script>'&`
  const view: SurveyView = {
    theme: { workspace: hostile, color: null },
    survey: { name: hostile, intro: hostile, language: 'ja', anonymous: true, recipients: 9 },
    questions: [],
    isPersonal: true,
    action: '/s/token',
    carried: { submission_id: hostile },
    seed: '',
  }
  const texts = { title: hostile, help: hostile, options: [{ key: 'red', label: hostile }] }
  const shownTypes = [color, colors, rank, parts, amount, consent, statement, score, question('text')]

  for (const asked of shownTypes) {
    const shown = { ...asked, ...texts }
    const fields = { [`a.${asked.key}`]: hostile, [`a.${asked.key}._other`]: hostile }
    const { main, footer } = buildQuestionPage(
      { ...view, questions: [shown] },
      { question: shown, answers: { other: hostile }, fields },
    )
    assert.doesNotMatch(main + footer, /<script|'&/, asked.key)
    assert.match(main, /<div class="actions" lang="en">/)
    assert.match(footer, /<span lang="en">Your answers are anonymous\. Recipients of this survey: at least 9\.<\/span>/)
  }
})
