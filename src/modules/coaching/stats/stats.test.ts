import assert from 'node:assert/strict'
import { test } from 'node:test'
import { daysLater } from '#platform/clock'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { createScenario, exampleRubric } from '../coaching.fixture.ts'
import { type CountedSession, calculateStats } from './stats.rules.ts'

const { tenant, clock } = await startTestApp()
const url = '/api/enablement/coaching/my-stats'

/** A Wednesday. */
const now = new Date('2026-03-11T12:00:00Z')
const nothing = { days: 90, now, openActionItems: 0, scenarios: [] }

const session = (score: number | null, daysAgo: number, fields: Partial<CountedSession> = {}): CountedSession => ({
  kind: 'roleplay',
  scenario_id: 'a',
  type: 'discovery',
  score,
  passed: score === null ? null : score >= 70,
  scorecard: null,
  coach_scores: null,
  started_at: daysLater(now, -daysAgo),
  finished_at: new Date(daysLater(now, -daysAgo).getTime() + 600_000),
  ...fields,
})

const scorecard = (scores: Record<string, number>) => ({
  score: 0,
  passing_score: 70,
  rubric_version: 1,
  strengths: [],
  improvements: [],
  metrics: null,
  lexicon: null,
  engine: null,
  model: null,
  fallback_reason: null,
  criteria: Object.entries(scores).map(([name, score]) => ({
    key: name,
    name,
    weight: 1,
    score,
    scored: true,
    evidence: [],
    feedback: '',
  })),
})

test('the trend compares the last five scores with those before', () => {
  const scores = [90, 80, 85, 75, 70, 60, 65, 70]

  const stats = calculateStats(
    scores.map((score, index) => session(score, index)),
    nothing,
  )

  assert.deepEqual([stats.average_score, stats.best_score, stats.pass_rate], [74.4, 90, 0.75])
  assert.deepEqual([stats.trend, stats.minutes, stats.sessions], [15, 80, 8])
  assert.equal(calculateStats([session(80, 0)], nothing).trend, null)
})

test('a streak counts consecutive weeks and survives a current week without a session', () => {
  const streakOf = (...days: number[]) =>
    calculateStats(
      days.map((day) => session(80, day)),
      nothing,
    ).streak_weeks

  assert.deepEqual([streakOf(), streakOf(0), streakOf(0, 7, 14), streakOf(7, 14), streakOf(14)], [0, 1, 3, 2, 0])
  assert.deepEqual([streakOf(2, 3), streakOf(0, 14)], [2, 1])
})

test('criteria are averaged with the corrections of the coach, and the weakest one decides the recommendation', () => {
  const sessions = [
    session(80, 0, { scorecard: scorecard({ Questions: 100, Pace: 80 }), coach_scores: [] }),
    session(60, 1, {
      scorecard: scorecard({ Questions: 50, Pace: 80 }),
      coach_scores: [{ key: 'Pace', score: 20, comment: null }],
    }),
  ]
  const scenarios = [
    { id: 'a', title: 'Passed', difficulty: 'easy' as const, criteria: ['Pace'] },
    { id: 'b', title: 'Other', difficulty: 'easy' as const, criteria: ['Questions'] },
    { id: 'c', title: 'Hard', difficulty: 'hard' as const, criteria: ['Pace'] },
  ]

  const stats = calculateStats(sessions, { ...nothing, scenarios })

  assert.deepEqual(stats.by_criterion, [
    { name: 'Pace', average: 50, sessions: 2 },
    { name: 'Questions', average: 75, sessions: 2 },
  ])
  assert.deepEqual([stats.strongest, stats.weakest], ['Questions', 'Pace'])
  assert.deepEqual(stats.recommended_scenario, { id: 'c', title: 'Hard', reason: 'weakest_criterion' })
  const withoutTraining = calculateStats(sessions, { ...nothing, scenarios: scenarios.slice(0, 2) })
  assert.equal(withoutTraining.recommended_scenario?.reason, 'not_passed_yet')
})

test('enablement-4-14 stats without sessions are zeros and nulls, and recommend the easiest published scenario', async () => {
  const acme = await tenant()
  await createScenario(acme, { difficulty: 'hard' })
  const easy = await createScenario(acme, { difficulty: 'easy' })
  await createScenario(acme, { difficulty: 'easy', status: 'draft' })

  const { status, body } = await acme.member.get(url)

  assert.equal(status, 200)
  assert.deepEqual(body, {
    days: 90,
    sessions: 0,
    roleplays: 0,
    human_sessions: 0,
    minutes: 0,
    average_score: null,
    best_score: null,
    pass_rate: null,
    trend: null,
    streak_weeks: 0,
    by_type: [],
    by_criterion: [],
    strongest: null,
    weakest: null,
    recommended_scenario: { id: easy.id, title: 'First call', reason: 'first_exercise' },
    open_action_items: 0,
  })
})

test('completed sessions of the caller in the period count', async () => {
  const acme = await tenant()
  const scenario = await createScenario(acme)
  const { manager, member } = acme
  const { body } = await manager.post(`${scenario.url}/sessions`, { rep_id: member.userId })
  const sessionUrl = `/api/enablement/coaching/sessions/${body.id}`
  await manager.patch(sessionUrl, { status: 'in_progress', action_items: [{ text: 'A' }, { text: 'B', done: true }] })
  clock.advance(10 * 60)
  const scores = exampleRubric.map(({ key }) => ({ key, score: 90 }))
  await manager.patch(sessionUrl, { status: 'completed', scores })
  await manager.post(`${scenario.url}/sessions`, { rep_id: member.userId })
  await acme.sql(
    `insert into enablement.coaching_sessions (tenant_id, id, kind, status, rep_id, scenario_snapshot, score, finished_at, created_at)
     select tenant_id, $2, kind, status, rep_id, scenario_snapshot, 10, finished_at, created_at - interval '100 days'
     from enablement.coaching_sessions where tenant_id = $1 and status = 'completed'`,
    [acme.id, newId()],
  )

  const [mine, longer, others] = [
    await member.get(url),
    await member.get(`${url}?days=365`),
    await acme.viewer.get(url),
  ]

  const { sessions, human_sessions, minutes, average_score, best_score, pass_rate, open_action_items } = mine.body
  assert.deepEqual(
    [sessions, human_sessions, minutes, average_score, best_score, pass_rate, open_action_items],
    [1, 1, 10, 90, 90, 1, 1],
  )
  assert.deepEqual(mine.body.by_type, [{ type: 'discovery', sessions: 1, average_score: 90 }])
  assert.deepEqual([longer.body.sessions, longer.body.average_score, others.body.sessions], [2, 50, 0])
  for (const days of ['6', '366', 'x']) assert.equal((await member.get(`${url}?days=${days}`)).status, 422)
})
