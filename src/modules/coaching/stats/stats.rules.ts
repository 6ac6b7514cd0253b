import { type Difficulty, difficulties, type ScenarioType } from '../scenarios/scenarios.schemas.ts'
import type { Scorecard } from '../sessions/scorecard.schemas.ts'
import type { CoachScore, SessionKind } from '../sessions/sessions.schemas.ts'
import type { CoachingStats } from './stats.schemas.ts'

export type CountedSession = {
  kind: SessionKind
  scenario_id: string | null
  type: ScenarioType
  score: number | null
  passed: boolean | null
  scorecard: Scorecard | null
  coach_scores: CoachScore[] | null
  started_at: Date | null
  finished_at: Date
}

export type ScenarioChoice = { id: string; title: string; difficulty: Difficulty; criteria: readonly string[] }

const trendSize = 5
const weekMs = 7 * 86_400_000
/** 1970-01-05, a Monday. */
const firstMonday = 4 * 86_400_000

/** Rounds half up, because scores are not negative. */
const round = (value: number, digits: number) => Math.floor(value * 10 ** digits + 0.5) / 10 ** digits
const averageOf = (values: readonly number[]) =>
  values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null
const roundedAverage = (values: readonly number[]) => {
  const average = averageOf(values)
  return average === null ? null : round(average, 1)
}

type StatsInput = { days: number; now: Date; openActionItems: number; scenarios: readonly ScenarioChoice[] }

/** Calculates the stats of a seller. `sessions` are the newest first. */
export function calculateStats(sessions: readonly CountedSession[], input: StatsInput): CoachingStats {
  const { days, now, openActionItems, scenarios } = input
  const scores = sessions.flatMap(({ score }) => (score === null ? [] : [score]))
  const judged = sessions.filter(({ passed }) => passed !== null)
  const byCriterion = averageByCriterion(sessions)
  const ranked = byCriterion.toSorted((left, right) => right.average - left.average)
  const weakest = ranked.length > 1 ? ranked.at(-1)!.name : null
  return {
    days,
    sessions: sessions.length,
    roleplays: sessions.filter(({ kind }) => kind === 'roleplay').length,
    human_sessions: sessions.filter(({ kind }) => kind === 'human').length,
    minutes: round(
      sessions.reduce((sum, session) => sum + minutesOf(session), 0),
      0,
    ),
    average_score: roundedAverage(scores),
    best_score: scores.length ? Math.max(...scores) : null,
    pass_rate: judged.length ? round(judged.filter(({ passed }) => passed).length / judged.length, 2) : null,
    trend: trendOf(scores),
    streak_weeks: countStreak(sessions, now),
    by_type: averageByType(sessions),
    by_criterion: byCriterion,
    strongest: ranked[0]?.name ?? null,
    weakest,
    recommended_scenario: recommendScenario(sessions, scenarios, weakest),
    open_action_items: openActionItems,
  }
}

const minutesOf = ({ started_at, finished_at }: CountedSession): number =>
  started_at ? Math.max(0, finished_at.getTime() - started_at.getTime()) / 60_000 : 0

function trendOf(scores: readonly number[]): number | null {
  const [last, previous] = [scores.slice(0, trendSize), scores.slice(trendSize, 2 * trendSize)].map(averageOf)
  return last == null || previous == null ? null : Math.round((last - previous) * 10) / 10
}

/** A current week without a session does not end the streak yet. */
function countStreak(sessions: readonly CountedSession[], now: Date): number {
  const weekOf = (date: Date) => Math.floor((date.getTime() - firstMonday) / weekMs)
  const weeks = new Set(sessions.map(({ finished_at }) => weekOf(finished_at)))
  const current = weekOf(now)
  let week = weeks.has(current) ? current : current - 1
  let streak = 0
  while (weeks.has(week)) {
    streak++
    week--
  }
  return streak
}

function averageByType(sessions: readonly CountedSession[]): CoachingStats['by_type'] {
  const groups = Map.groupBy(sessions, ({ type }) => type)
  return [...groups.keys()].sort().map((type) => {
    const group = groups.get(type)!
    const scores = group.flatMap(({ score }) => (score === null ? [] : [score]))
    return { type, sessions: group.length, average_score: roundedAverage(scores) }
  })
}

function averageByCriterion(sessions: readonly CountedSession[]): CoachingStats['by_criterion'] {
  const results = sessions.flatMap(({ scorecard, coach_scores }) =>
    (scorecard?.criteria ?? []).flatMap(({ key, name, score }) => {
      const corrected = coach_scores?.find((given) => given.key === key)?.score ?? score
      return corrected === null ? [] : [{ name, score: corrected }]
    }),
  )
  const groups = Map.groupBy(results, ({ name }) => name)
  return [...groups.keys()].sort().map((name) => {
    const scores = groups.get(name)!.map(({ score }) => score)
    return { name, average: round(averageOf(scores)!, 1), sessions: scores.length }
  })
}

/** The easiest scenario that the seller has not passed, first among those that train the weakest criterion. */
function recommendScenario(
  sessions: readonly CountedSession[],
  scenarios: readonly ScenarioChoice[],
  weakest: string | null,
): CoachingStats['recommended_scenario'] {
  const passed = new Set(sessions.filter((session) => session.passed).map(({ scenario_id }) => scenario_id))
  const open = scenarios
    .filter(({ id }) => !passed.has(id))
    .toSorted((left, right) => difficulties.indexOf(left.difficulty) - difficulties.indexOf(right.difficulty))
  const training = open.find(({ criteria }) => weakest !== null && criteria.includes(weakest))
  const chosen = training ?? open[0]
  if (!chosen) return null
  const reason = !sessions.length ? 'first_exercise' : training ? 'weakest_criterion' : 'not_passed_yet'
  return { id: chosen.id, title: chosen.title, reason }
}
