import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeCriteria } from '../../coaching/criteria/complete-criteria.rules.ts'
import { criteriaOf } from '../../coaching/criteria/criteria.fixture.ts'
import type { PromptSnapshot } from '../submissions/submission-row.ts'
import { deriveStatus } from '../submissions/submissions.rules.ts'
import { evaluatePitch } from './evaluate-pitch.rules.ts'
import { isValidJudgement, toJudgementData, toJudgements } from './judgement.rules.ts'

const provenance = { engine: 'rules', model: null, fallback_reason: null } as const
const snapshot = (parts: Parameters<typeof criteriaOf>[0], more: Partial<PromptSnapshot> = {}): PromptSnapshot => ({
  title: 'Pitch',
  instructions: null,
  time_limit_seconds: 60,
  criteria: criteriaOf(parts),
  criteria_version: 3,
  passing_score: 70,
  min_reviews: 1,
  language: 'en',
  ...more,
})
const recordingOf = (transcript: string, durationSeconds: number | null = null) => ({
  transcript,
  segments: null,
  durationSeconds,
})

test('a pitch has metrics, and its duration is compared with the time limit', () => {
  const criteria = { duration: {}, pace: {} }
  const words = Array(130).fill('alpha').join(' ')

  const inTime = evaluatePitch(snapshot(criteria), recordingOf(words, 60), { provenance })
  const late = evaluatePitch(snapshot(criteria), recordingOf(words, 66), { provenance })
  const unknown = evaluatePitch(snapshot(criteria), recordingOf(words), { provenance })
  const unlimited = evaluatePitch(snapshot(criteria, { time_limit_seconds: null }), recordingOf(words, 60), {
    provenance,
  })

  assert.deepEqual(inTime.metrics, {
    words: 130,
    pace_wpm: 130,
    filler_per_100: 0,
    duration_seconds: 60,
    over_limit: false,
  })
  assert.deepEqual([inTime.overall, inTime.criteria_version, inTime.insufficient], [100, 3, false])
  assert.deepEqual([late.metrics.over_limit, late.criteria[0]?.score], [true, 50])
  assert.deepEqual([unknown.metrics.over_limit, unknown.overall], [null, null])
  assert.deepEqual([unlimited.metrics.over_limit, unlimited.overall], [null, 100])
})

test('a transcript without words is insufficient', () => {
  const { overall, insufficient, metrics } = evaluatePitch(snapshot({ filler: {} }), recordingOf('…', 30), {
    provenance,
  })

  assert.deepEqual([overall, insufficient, metrics.words], [null, true, 0])
})

test('moments have the time of the segment in which a quote begins', () => {
  const criteria = snapshot({ keywords: { config: { groups: [['return on investment']] } }, next_step: {} })
  const segments = [
    { start: 0, end: 4, text: ' Hello.' },
    { start: 4, end: 9, text: ' You get a return on' },
    { start: 9, end: 15, text: ' investment in a year. Let us schedule  a call on Tuesday.' },
  ]
  const transcript = 'Hello. You get a return on investment in a year. Let us schedule a call on Tuesday.'

  const { moments, overall } = evaluatePitch(criteria, { transcript, segments, durationSeconds: 15 }, { provenance })

  assert.equal(overall, 100)
  assert.deepEqual(moments, [
    { at_seconds: 4, text: 'You get a return on investment in a year.' },
    { at_seconds: 9, text: 'Let us schedule a call on Tuesday.' },
  ])
  assert.deepEqual(
    evaluatePitch(criteria, { transcript, segments: [], durationSeconds: 15 }, { provenance }).moments,
    [],
  )
})

test('a judgement needs one score per criterion and quotes that were said', () => {
  const criteria = completeCriteria([
    { key: 'tone', name: 'Tone', weight: 50, kind: 'judgement' },
    { key: 'next_step', name: 'Next step', weight: 50, kind: 'next_step' },
  ])
  const judged = snapshot({}, { criteria })
  const transcript = 'Good morning. Let us book a call.'
  const data = toJudgementData(judged, transcript)
  const judgement = { key: 'tone', score: 80, feedback: 'Friendly.', quotes: ['Good morning'] }
  const isValid = (...judgements: (typeof judgement)[]) => isValidJudgement({ criteria: judgements }, data)

  assert.deepEqual(
    data.criteria.map(({ key }) => key),
    ['tone'],
  )
  assert.ok(isValid(judgement))
  assert.ok(isValid({ ...judgement, score: 0, quotes: [] }))
  for (const invalid of [
    [],
    [judgement, judgement],
    [{ ...judgement, key: 'next_step' }],
    [{ ...judgement, quotes: [] }],
    [{ ...judgement, quotes: ['Never said'] }],
    [{ ...judgement, quotes: [' '] }],
  ])
    assert.ok(!isValid(...invalid), JSON.stringify(invalid))
  const evaluation = evaluatePitch(judged, recordingOf(transcript), {
    provenance,
    judgements: toJudgements({ criteria: [judgement] }),
  })
  assert.deepEqual(
    evaluation.criteria.map(({ score, evidence }) => [score, evidence[0]?.quote]),
    [
      [80, 'Good morning'],
      [60, 'Let us book a call.'],
    ],
  )
})

test('the status follows from the decisions and the required reviews', () => {
  const status = (min_reviews: number, decisions: string[], aiScore: number | null = null) =>
    deriveStatus({ min_reviews }, { decisions, aiScore })

  assert.deepEqual([status(1, []), status(2, ['approved'])], ['submitted', 'submitted'])
  assert.deepEqual([status(1, ['approved']), status(2, ['approved', 'approved'])], ['reviewed', 'reviewed'])
  assert.deepEqual([status(2, ['returned']), status(1, ['approved', 'returned'], 90)], ['returned', 'returned'])
  assert.deepEqual([status(0, []), status(0, [], 10), status(0, ['approved'])], ['submitted', 'reviewed', 'reviewed'])
  assert.equal(status(1, [], 90), 'submitted')
})
