import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyzeConversation, type ConversationMessage, presentMetrics } from './conversation.rules.ts'
import {
  conversationCriteria,
  criteriaOf,
  pitchCriteria,
  workedConversation,
  workedOutcome,
  workedPitch,
} from './criteria.fixture.ts'
import type { Criterion } from './criteria.schemas.ts'
import { evaluateCriteria, roundScore } from './evaluate-criteria.rules.ts'
import { pickImprovements, pickStrengths } from './summarize-results.rules.ts'

const language = 'en'
const sayAsRep = (...texts: string[]): ConversationMessage[] => texts.map((text, seq) => ({ seq, role: 'rep', text }))
const evaluateText = (criteria: Criterion[], ...texts: string[]) =>
  evaluateCriteria(criteria, analyzeConversation({ messages: sayAsRep(...texts), language }))
const scoresOf = ({ criteria }: ReturnType<typeof evaluateCriteria>) =>
  criteria.map(({ score }) => (score === null ? null : roundScore(score)))

test('the worked conversation scores 79 from 80, 77, 67 and 100, stored unrounded', () => {
  const conversation = analyzeConversation({ messages: workedConversation, language })

  const evaluation = evaluateCriteria(conversationCriteria, conversation, { outcome: workedOutcome })

  assert.deepEqual(scoresOf(evaluation), [80, 77, 67, 100])
  assert.deepEqual(
    evaluation.criteria.map(({ score }) => score),
    [80, 76.6666666667, 66.6666666667, 100],
  )
  assert.deepEqual([evaluation.overall, evaluation.lexicon], [79, 'en-1'])
  assert.deepEqual(evaluation.criteria[1], {
    key: 'questions',
    name: 'Criterion questions',
    weight: 30,
    score: 76.6666666667,
    scored: true,
    evidence: [
      { seq: 0, quote: 'What slows your team down today?' },
      { seq: 2, quote: 'How do you measure that?' },
      { seq: 4, quote: 'Why now?' },
    ],
    feedback: 'You asked 4 questions, 3 of them open; the target is 6.',
  })
  assert.equal(evaluation.criteria[0]?.feedback, 'You spoke 61 % of the time; the target is 30 to 55 %.')
  assert.deepEqual(evaluation.criteria[3]?.evidence, [{ seq: 5, quote: 'Let us schedule a call.' }])
})

test('the worked pitch scores 68', () => {
  const evaluation = evaluateCriteria(pitchCriteria, analyzeConversation({ ...workedPitch, language }))

  assert.deepEqual(
    evaluation.criteria.map(({ score }) => score),
    [56.6666666667, 80, 70],
  )
  assert.equal(evaluation.overall, 68)
  assert.equal(evaluation.criteria[0]?.feedback, 'You mentioned 2 of 3 topics. You used 1 phrase to avoid.')
})

test('the metrics of a conversation are rounded for responses', () => {
  const { metrics } = analyzeConversation({ messages: workedConversation, language })

  assert.deepEqual(presentMetrics(metrics), {
    talk_ratio: 0.61,
    rep_words: 61,
    buyer_words: 39,
    questions: { total: 4, open: 3, closed: 1, per_10_turns: 10 },
    filler: { count: 0, per_100_words: 0, top: [] },
    longest_monologue: { words: 36, seq: 4 },
    pace_wpm: null,
  })
  assert.deepEqual(presentMetrics(analyzeConversation({ messages: [], language }).metrics), {
    talk_ratio: null,
    rep_words: 0,
    buyer_words: 0,
    questions: { total: 0, open: 0, closed: 0, per_10_turns: 0 },
    filler: { count: 0, per_100_words: 0, top: [] },
    longest_monologue: null,
    pace_wpm: null,
  })
})

test('the most frequent fillers are listed first', () => {
  const { metrics } = analyzeConversation({ messages: sayAsRep('Um, well, uh. Um, honestly, um.'), language })

  assert.deepEqual(presentMetrics(metrics).filler.top, [
    { word: 'um', count: 3 },
    { word: 'honestly', count: 1 },
    { word: 'uh', count: 1 },
  ])
})

test('the talk ratio and the pace use spoken seconds if all messages have them', () => {
  const messages: ConversationMessage[] = [
    { seq: 0, role: 'rep', text: 'one two three', spokenSeconds: 2 },
    { seq: 1, role: 'buyer', text: 'one', spokenSeconds: 6 },
  ]
  const metricsOf = (changed: ConversationMessage[], durationSeconds?: number) =>
    presentMetrics(
      analyzeConversation({ messages: changed, language, ...(durationSeconds && { durationSeconds }) }).metrics,
    )
  const withoutTime = messages.map(({ spokenSeconds: _, ...message }, index) =>
    index ? message : { ...message, spokenSeconds: 2 },
  )

  assert.deepEqual([metricsOf(messages).talk_ratio, metricsOf(messages).pace_wpm], [0.25, 90])
  assert.deepEqual([metricsOf(withoutTime).talk_ratio, metricsOf(withoutTime).pace_wpm], [0.75, 90])
  assert.equal(metricsOf(messages, 3).pace_wpm, 60)
  assert.equal(metricsOf(messages.map((message) => ({ ...message, spokenSeconds: 0 }))).talk_ratio, 0.75)
})

test('criteria that do not apply are not scored and do not count', () => {
  const criteria = criteriaOf({
    objections: {},
    discovery: {},
    pace: {},
    duration: {},
    judgement: {},
    next_step: { weight: 5 },
  })

  const evaluation = evaluateText(criteria, 'Let us book it for Friday.')

  assert.deepEqual(scoresOf(evaluation), [null, null, null, null, null, 100])
  assert.deepEqual(
    evaluation.criteria.map(({ scored }) => scored),
    [false, false, false, false, false, true],
  )
  assert.equal(evaluation.overall, 100)
})

test('silence has no score', () => {
  const criteria = criteriaOf({ questions: {}, filler: {}, next_step: {}, duration: {} })
  const messages = [...sayAsRep('…'), { seq: 1, role: 'buyer' as const, text: 'Hello?' }]

  const evaluation = evaluateCriteria(criteria, analyzeConversation({ messages, language, durationSeconds: 10 }), {
    outcome: { durationSeconds: 10, timeLimitSeconds: 20 },
  })

  assert.deepEqual(scoresOf(evaluation), [null, null, null, null])
  assert.equal(evaluation.overall, null)
  assert.deepEqual(evaluateText(criteria), { ...evaluateText(criteria), overall: null, lexicon: null })
})

test('every kind is scored with its evidence', () => {
  const criteria = criteriaOf({
    discovery: {},
    monologue: { config: { max_words: 10 } },
    duration: {},
    judgement: { config: { indicators: ['your goals', 'return on investment', 'customer story'] } },
    filler: {},
  })
  const texts = ['Um, what are your goals?', 'Our customers’ stories show one two three four five six seven eight.']

  const evaluation = evaluateCriteria(criteria, analyzeConversation({ messages: sayAsRep(...texts), language }), {
    outcome: { facts: { revealed: 1, total: 4, seqs: [0, 99] }, durationSeconds: 45, timeLimitSeconds: 180 },
  })

  assert.deepEqual(scoresOf(evaluation), [25, 90, 50, 67, 42])
  assert.deepEqual(
    evaluation.criteria.map(({ evidence }) => evidence.map(({ seq }) => seq)),
    [[0], [1], [], [0, 1], [0]],
  )
})

test('quotes have at most 200 characters and are not repeated', () => {
  const long = `${'x'.repeat(198)}😀 um, um and more?`

  const [result] = evaluateText(criteriaOf({ filler: {} }), long, 'Um.', 'Um.', 'Um.').criteria

  assert.equal(result?.evidence.length, 3)
  assert.equal(result.evidence[0]?.quote, `${'x'.repeat(198)}…`)
})

test('only criteria of the kind judgement use the answer of a model, with quotes that occur', () => {
  const criteria = criteriaOf({ judgement: { config: { indicators: ['goals'] } }, questions: {} })
  const judgement = {
    score: 150,
    feedback: 'Convincing.',
    evidence: [
      { seq: 0, quote: ' Hello there ' },
      { seq: 0, quote: 'Never said' },
      { seq: 7, quote: 'Hello there' },
      { seq: 0, quote: ' ' },
    ],
  }

  const { criteria: results } = evaluateCriteria(
    criteria,
    analyzeConversation({ messages: sayAsRep('Hello there.'), language }),
    { judgements: { judgement, questions: judgement } },
  )

  assert.deepEqual(
    results.map(({ score, evidence, feedback }) => ({ score, evidence, feedback })),
    [
      { score: 100, evidence: [{ seq: 0, quote: 'Hello there' }], feedback: 'Convincing.' },
      { score: 0, evidence: [], feedback: 'You asked 0 questions, 0 of them open; the target is 6.' },
    ],
  )
})

test('the same conversation has the same evaluation', () => {
  const evaluate = () =>
    JSON.stringify(
      evaluateCriteria(conversationCriteria, analyzeConversation({ messages: workedConversation, language }), {
        outcome: workedOutcome,
      }),
    )

  assert.equal(evaluate(), evaluate())
})

test('strengths have at least 80 points and improvements less than 70, two each', () => {
  const { criteria: results } = evaluateCriteria(
    conversationCriteria,
    analyzeConversation({ messages: workedConversation, language }),
    { outcome: workedOutcome },
  )

  assert.deepEqual(pickStrengths(results), [
    { key: 'next_step', name: 'Criterion next_step', score: 100 },
    { key: 'talk_ratio', name: 'Criterion talk_ratio', score: 80 },
  ])
  assert.deepEqual(pickImprovements(results, conversationCriteria), [
    {
      key: 'objections',
      name: 'Criterion objections',
      score: 66.6666666667,
      quote: 'How do you measure that? Is it getting worse?',
      suggestion: 'Acknowledge the objection, then ask: "That makes sense. What would you need to see?"',
    },
  ])
  assert.deepEqual(
    pickStrengths([
      { ...results[0]!, key: 'a', score: 90, weight: 1 },
      { ...results[0]!, key: 'b', score: 90, weight: 5 },
      { ...results[0]!, key: 'c', score: null, weight: 9 },
      { ...results[0]!, key: 'd', score: 95, weight: 1 },
    ]).map(({ key }) => key),
    ['d', 'b'],
  )
})
