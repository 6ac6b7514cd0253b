import { findUserCards, isLeadOf, timezoneOf } from '#modules/identity'
import { isManagerOrAdmin, type UserActor } from '#platform/access'
import { addDays, dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { notFound, roleRequired } from '#platform/errors'
import { calculateReadinessOf } from './calculate-readiness.service.ts'
import { calculateRows, filterVisibleGaps, readOutdated } from './current-readiness.service.ts'
import { listHistory, listReadinessRows, type ReadinessRow } from './readiness.queries.ts'
import type { ReadinessFacts } from './readiness.rules.ts'
import type { ReadinessDetails } from './readiness.schemas.ts'
import { readReadinessSettings } from './readiness-settings.ts'
import { toReadinessRow, toScore } from './recompute-readiness.service.ts'

const historyDays = 90
const maxActions = 5

/** The score as the list shows it; null for roles without readiness. */
export async function readScoreOf(tx: TenantTx, userId: string, now: Date): Promise<number | null> {
  const [cards, isOutdated, [stored], settings] = await Promise.all([
    findUserCards(tx, [userId]),
    readOutdated(tx, [userId], now),
    listReadinessRows(tx, [userId]),
    readReadinessSettings(tx),
  ])
  const user = cards.get(userId)
  if (!user || settings.excluded_roles.includes(user.role)) return null
  if (user.status !== 'active') return toScore(stored?.score_tenths ?? null)
  const row = stored && !isOutdated(stored) ? stored : (await calculateRows(tx, [userId], now)).get(userId)!
  return toScore(row.score_tenths)
}

/** Calculates the score of an active user; a deactivated user keeps the last one. */
export async function getSellerReadiness(
  tx: TenantTx,
  actor: UserActor,
  userId: string,
  now: Date,
): Promise<ReadinessDetails> {
  const user = (await findUserCards(tx, [userId])).get(userId)
  if (!user) throw notFound('user')
  const isCoach = isManagerOrAdmin(actor.role) || (await isLeadOf(tx, actor.userId, userId))
  if (userId !== actor.userId && !isCoach)
    throw roleRequired('Only the user, leads of a team of the user, managers and admins can see this readiness.')
  const since = addDays(dayInTimezone(now, await timezoneOf(tx)), -historyDays)
  const [calculated, [stored], history, settings] = await Promise.all([
    calculateReadinessOf(tx, [userId], now),
    listReadinessRows(tx, [userId]),
    listHistory(tx, userId, since),
    readReadinessSettings(tx),
  ])
  const current = calculated.get(userId)!
  const row = stored && user.status !== 'active' ? stored : toReadinessRow(userId, current, now)
  const gaps = (await filterVisibleGaps(tx, row.gaps))(row.gaps)
  return {
    user: { id: user.id, name: user.name },
    score: toScore(row.score_tenths),
    level: row.level,
    coverage: row.coverage,
    components: describeComponents(row, current.facts, settings),
    gaps,
    next_actions: gaps.slice(0, maxActions),
    history: history.map(({ day, score_tenths }) => ({ day, score: toScore(score_tenths) })),
    computed_at: row.computed_at,
  }
}

type Settings = { weights: Record<keyof ReadinessRow['components'], number>; targets: { sessions: number } }

function describeComponents(
  { components }: Pick<ReadinessRow, 'components'>,
  { enrollments, quizScores, sessions, pitches, items, required, shares }: ReadinessFacts,
  { weights, targets }: Settings,
): ReadinessDetails['components'] {
  const describe = <I>(name: keyof typeof components, inputs: I) => ({
    score: components[name],
    weight: weights[name],
    inputs,
  })
  return {
    learning: describe('learning', {
      enrollments: enrollments.length,
      overdue: enrollments.filter(({ isOverdue }) => isOverdue).length,
      quiz_scores: quizScores.length,
    }),
    coaching: describe('coaching', { sessions: sessions.length, target: targets.sessions }),
    pitch: describe('pitch', {
      assigned: pitches.length,
      submitted: pitches.filter(({ isSubmitted }) => isSubmitted).length,
      overdue: pitches.filter(({ isOverdue, isSubmitted }) => isOverdue && !isSubmitted).length,
    }),
    content: describe('content', {
      items,
      required: required.length,
      required_read: required.filter(({ isRead }) => isRead).length,
      shares,
    }),
  }
}
