import { hasPublishedScenarios, listScoredSessions, type ScoredSession } from '#modules/coaching'
import { listTeamsOfUsers, timezoneOf } from '#modules/identity'
import { listEnrollments, listQuizScores, type MandatoryEnrollment } from '#modules/learning'
import { countViewedItems, hasPublishedItems, listReadItems, listRequiredItems } from '#modules/library'
import { type AssignedPitch, listPitches } from '#modules/pitches'
import { countShares } from '#modules/rooms'
import { dayInTimezone, startOfDaysAgo } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { calculateReadiness, type Readiness, type ReadinessFacts } from './readiness.rules.ts'
import { readReadinessSettings } from './readiness-settings.ts'

const quizDays = 365
const sessionDays = 90
const contentDays = 30
const minViewSeconds = 15
const dayMs = 86_400_000

export type CalculatedReadiness = Readiness & { facts: ReadinessFacts; valid_until: Date }

/**
 * Calculates the readiness of users from the records of learning, coaching, pitches and content, without storing it. All periods
 * are whole days of the workspace, so without other records the result is the same until the next midnight.
 */
export async function calculateReadinessOf(
  tx: TenantTx,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, CalculatedReadiness>> {
  const [settings, timezone] = await Promise.all([readReadinessSettings(tx), timezoneOf(tx)])
  const day = { now, timezone }
  const factsOf = await readFacts(tx, userIds, day)
  const valid_until = startDaysAgo(-1, day)
  return new Map(
    userIds.map((id) => {
      const facts = factsOf(id)
      return [id, { ...calculateReadiness(facts, settings), facts, valid_until }]
    }),
  )
}

type Day = { now: Date; timezone: string }

const startDaysAgo = (days: number, day: Day): Date => new Date(startOfDaysAgo(days, day))

async function readFacts(
  tx: TenantTx,
  userIds: readonly string[],
  day: Day,
): Promise<(userId: string) => ReadinessFacts> {
  const today = dayInTimezone(day.now, day.timezone)
  const requiredItems = await listRequiredItems(tx)
  const contentSince = startDaysAgo(contentDays, day)
  const [hasScenarios, hasItems, enrollments, quizzes, sessions, pitches, viewed, shares, read, teams] =
    await Promise.all([
      hasPublishedScenarios(tx),
      hasPublishedItems(tx),
      listEnrollments(tx, userIds, startDaysAgo(0, day)),
      listQuizScores(tx, userIds, startDaysAgo(quizDays, day)),
      listScoredSessions(tx, userIds, startDaysAgo(sessionDays, day)),
      listPitches(tx, userIds),
      countViewedItems(tx, userIds, { since: contentSince, minSeconds: minViewSeconds }),
      countShares(tx, userIds, contentSince),
      listReadItems(tx, userIds, requiredItems),
      listTeamsOfUsers(tx, userIds),
    ])
  const rowsOf = <T extends { user_id: string }>(rows: readonly T[]) => {
    const groups = Map.groupBy(rows, ({ user_id }) => user_id)
    return (userId: string): readonly T[] => groups.get(userId) ?? []
  }
  const of = {
    enrollments: rowsOf(enrollments),
    quizzes: rowsOf(quizzes),
    sessions: rowsOf(sessions),
    pitches: rowsOf(pitches),
    viewed: rowsOf(viewed),
    shares: rowsOf(shares),
    read: rowsOf(read),
    teams: rowsOf(teams),
  }
  return (userId) => {
    const teamIds = of.teams(userId).map(({ id }) => id)
    const readIds = new Set(of.read(userId).map(({ item_id }) => item_id))
    return {
      enrollments: of.enrollments(userId).map((row) => toEnrollmentFacts(row, today)),
      quizScores: of.quizzes(userId).map(({ score }) => score),
      hasScenarios,
      sessions: of.sessions(userId).map((row) => toSessionFacts(row, day)),
      pitches: of.pitches(userId).map((row) => toPitchFacts(row, today)),
      hasItems,
      items: of.viewed(userId)[0]?.count ?? 0,
      required: requiredItems
        .filter(({ audience_team_ids: audience }) => audience === null || audience.some((id) => teamIds.includes(id)))
        .map(({ id, title }) => ({ id, title, isRead: readIds.has(id) })),
      shares: of.shares(userId)[0]?.count ?? 0,
    }
  }
}

const openStatuses = ['not_started', 'in_progress']

function toEnrollmentFacts(
  { id, title, status, progress_rate, due_on, is_lapsed }: MandatoryEnrollment,
  today: string,
) {
  const isOpen = openStatuses.includes(status)
  const isFailed = status === 'failed'
  const isOverdue = (isOpen || isFailed) && due_on !== null && due_on < today
  return { id, title, progress: progress_rate, isOpen, isFailed, isOverdue, isLapsed: is_lapsed, due_on }
}

const countDays = (from: string, to: string): number => (Date.parse(to) - Date.parse(from)) / dayMs

const toSessionFacts = ({ id, score, finished_at, criteria }: ScoredSession, { now, timezone }: Day) => ({
  id,
  score,
  ageDays: Math.max(0, countDays(dayInTimezone(finished_at, timezone), dayInTimezone(now, timezone))),
  criteria: (criteria ?? []).flatMap(({ name, score: points }) => (points === null ? [] : [{ name, score: points }])),
})

const toPitchFacts = ({ user_id: _, is_submitted, ...pitch }: AssignedPitch, today: string) => ({
  ...pitch,
  isSubmitted: is_submitted,
  isOverdue: pitch.due_on !== null && pitch.due_on < today,
})
