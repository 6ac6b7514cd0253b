import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  calculateReadiness,
  isReadingChange,
  levelOf,
  type ReadinessFacts,
  type ReadinessSettings,
} from './readiness.rules.ts'

const settings: ReadinessSettings = {
  weights: { learning: 35, coaching: 25, pitch: 20, content: 20 },
  targets: { sessions: 3, items: 8, shares: 4 },
}
const nothing: ReadinessFacts = {
  enrollments: [],
  quizScores: [],
  hasScenarios: false,
  sessions: [],
  pitches: [],
  hasItems: false,
  items: 0,
  required: [],
  shares: 0,
}
const enrollment = (id: string, progress: number, fields: object = {}) => ({
  id,
  title: `Path ${id}`,
  progress,
  isOpen: progress < 1,
  isFailed: false,
  isOverdue: false,
  isLapsed: false,
  due_on: null,
  ...fields,
})
const session = (score: number, ageDays: number, criteria: { name: string; score: number }[] = []) => ({
  id: `s${ageDays}`,
  score,
  ageDays,
  criteria,
})
const pitch = (prompt_id: string, best_score: number | null, fields: object = {}) => ({
  prompt_id,
  title: `Pitch ${prompt_id}`,
  passing_score: 75,
  best_score,
  isSubmitted: best_score !== null,
  isOverdue: false,
  due_on: null,
  ...fields,
})
const required = (read: number, all: number) =>
  Array.from({ length: all }, (_, index) => ({ id: `i${index}`, title: `Item ${index}`, isRead: index < read }))

const example: ReadinessFacts = {
  enrollments: [enrollment('a', 1), enrollment('b', 0.5, { isOverdue: true, due_on: '2030-01-01' })],
  quizScores: [88],
  hasScenarios: true,
  sessions: [session(80, 0), session(60, 30)],
  pitches: [pitch('p', 79), pitch('q', null, { isOverdue: true, due_on: '2030-01-02' })],
  hasItems: true,
  items: 6,
  required: required(2, 4),
  shares: 1,
}
const scoreOf = (facts: Partial<ReadinessFacts>, other = settings) =>
  calculateReadiness({ ...nothing, ...facts }, other)

test('enablement-9-1 the worked example has its score, components and gaps', () => {
  const readiness = calculateReadiness(example, settings)

  assert.deepEqual(readiness.components, { learning: 73.9, coaching: 61.11, pitch: 39.5, content: 57.5 })
  assert.deepEqual([readiness.score, readiness.level, readiness.coverage], [60.5, 'developing', 1])
  assert.deepEqual(readiness.gaps.slice(0, 2), [
    {
      kind: 'enrollment_overdue',
      title: 'Path b',
      ref: { type: 'learning_enrollment', id: 'b' },
      due_on: '2030-01-01',
      impact_points: 7.9,
    },
    {
      kind: 'pitch_due',
      title: 'Pitch q',
      ref: { type: 'pitch_prompt', id: 'q' },
      due_on: '2030-01-02',
      impact_points: 7.5,
    },
  ])
  assert.deepEqual(
    readiness.gaps.slice(2).map(({ kind, impact_points }) => [kind, impact_points]),
    [
      ['session_missing', 3.1],
      ['required_item_unread', 1.5],
      ['required_item_unread', 1.5],
    ],
  )
  const without = calculateReadiness({ ...example, pitches: [] }, settings)
  assert.deepEqual([without.score, without.coverage, without.components.pitch], [65.8, 0.8, null])
})

test('enablement-9-2 a new user has zeros for what exists, and no score without anything', () => {
  const started = scoreOf({ hasScenarios: true, hasItems: true })
  assert.partialDeepStrictEqual(started, {
    score: 0,
    level: 'not_ready',
    coverage: 0.45,
    components: { learning: null, coaching: 0, pitch: null, content: 0 },
  })
  const empty = scoreOf({})
  assert.deepEqual([empty.score, empty.level, empty.coverage, empty.gaps], [null, 'unknown', 0, []])
})

test('enablement-9-7 a component without a weight is shown and not counted', () => {
  const weights = { learning: 50, coaching: 30, pitch: 0, content: 20 }
  const readiness = calculateReadiness(example, { ...settings, weights })
  assert.equal(readiness.components.pitch, 39.5)
  assert.equal(readiness.score, 66.8)
  assert.equal(scoreOf({ pitches: [pitch('p', 79)] }, { ...settings, weights }).score, null)
})

test('enablement-9-11 a score of 79.95 is rounded to 80.0, which is ready', () => {
  const readiness = scoreOf({ pitches: [pitch('p', 79.9), pitch('q', 80)] })
  assert.deepEqual([readiness.score, readiness.level], [80, 'ready'])
  assert.deepEqual([80, 79.9, 60, 59.9, 40, 39.9, null].map(levelOf), [
    'ready',
    'developing',
    'developing',
    'at_risk',
    'at_risk',
    'not_ready',
    'unknown',
  ])
})

test('learning counts half for a lapsed certificate, without quizzes only the completion, and overdue paths up to 25 points', () => {
  const learning = (facts: Partial<ReadinessFacts>) => scoreOf(facts).components.learning
  assert.equal(learning({ enrollments: [enrollment('a', 1, { isLapsed: true })] }), 50)
  assert.equal(learning({ enrollments: [enrollment('a', 0.4)] }), 40)
  assert.equal(learning({ enrollments: [enrollment('a', 1)], quizScores: [50, 70] }), 88)
  const late = Array.from({ length: 7 }, (_, index) => enrollment(String(index), 0.5, { isOverdue: true }))
  assert.equal(learning({ enrollments: late }), 25)
  assert.equal(learning({ enrollments: [enrollment('a', 0, { isOverdue: true })] }), 0)
  const [gap] = scoreOf({ enrollments: [enrollment('a', 1, { isLapsed: true, isOpen: false })] }).gaps
  assert.deepEqual([gap?.kind, gap?.impact_points], ['certificate_lapsed', 50])
})

test('of the fields of content only the audience and the required reading change scores', () => {
  assert.deepEqual(
    ['title', 'audience_team_ids', 'is_required_reading'].map((field) => isReadingChange([field])),
    [false, true, true],
  )
})

test('a failed path is a gap, and past its due time it counts as overdue', () => {
  const failed = (fields: object) =>
    scoreOf({ enrollments: [enrollment('a', 0.5, { isFailed: true, isOpen: false, ...fields })] })
  const [inTime, late] = [failed({}), failed({ isOverdue: true })]
  assert.deepEqual([inTime.score, late.score], [50, 45])
  assert.deepEqual(
    [inTime, late].map(({ gaps: [gap] }) => [gap?.kind, gap?.impact_points]),
    [
      ['enrollment_failed', 50],
      ['enrollment_failed', 55],
    ],
  )
})

test('pitches that are neither due nor scored are left out, and content without required reading has other shares', () => {
  assert.equal(scoreOf({ pitches: [pitch('p', null), pitch('q', 60)] }).components.pitch, 60)
  assert.equal(scoreOf({ pitches: [pitch('p', null, { isSubmitted: true, isOverdue: true })] }).components.pitch, null)
  assert.equal(scoreOf({ hasItems: true, items: 4, shares: 8 }).components.content, 64.29)
  assert.equal(scoreOf({ hasItems: true, items: 100, shares: 100, required: required(1, 1) }).components.content, 100)
})

test('a first session is expected at the usual passing score, and the weakest criterion is a gap without points', () => {
  const [first] = scoreOf({ hasScenarios: true }).gaps
  assert.deepEqual([first?.kind, first?.title, first?.impact_points], ['session_missing', 'Practice 3 more', 46.7])
  const criteria = [
    { name: 'Questions', score: 40 },
    { name: 'Next step', score: 90 },
  ]
  const { gaps } = scoreOf({ hasScenarios: true, sessions: [1, 2, 3].map((age) => session(70, age, criteria)) })
  assert.deepEqual(
    gaps.map(({ kind, title, impact_points }) => [kind, title, impact_points]),
    [['criterion_low', 'Questions', 0]],
  )
})
