import { findUserCards, listActiveUserCards, timezoneOf, type UserCard } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { emit } from '#platform/outbox'
import { readinessLevelChanged } from '../insights.events.ts'
import { type CalculatedReadiness, calculateReadinessOf } from './calculate-readiness.service.ts'
import {
  deleteMarks,
  insertMissingScores,
  listMarks,
  listUsersToRenew,
  lockScores,
  markUsers,
  type RenewedScore,
  upsertReadinessSnapshots,
  upsertScores,
} from './readiness.queries.ts'
import { readReadinessSettings } from './readiness-settings.ts'

const batchSize = 200
const marksPerBatch = 1_000
export const readerSeconds = 65 * 60

export const toReadinessRow = (
  user_id: string,
  { score, level, coverage, components, gaps, valid_until }: CalculatedReadiness,
  now: Date,
): RenewedScore => ({
  user_id,
  score_tenths: score === null ? null : Math.round(score * 10),
  level,
  coverage,
  components,
  gaps,
  computed_at: now,
  valid_until,
})

/**
 * Stores the scores of the users. The records are read after the lock, so that a slower run cannot store an older score, and
 * two runs see the same former level, so that a change is told once.
 */
export async function storeReadiness(tx: TenantTx, userIds: readonly string[], now: Date): Promise<void> {
  if (!userIds.length) return
  const added = await insertMissingScores(tx, userIds, now)
  const locked = await lockScores(tx, userIds)
  const formerLevels = new Map(locked.map(({ user_id, level }) => [user_id, level]))
  const calculated = await calculateReadinessOf(tx, userIds, now)
  const rows = [...calculated].map(([userId, readiness]) => toReadinessRow(userId, readiness, now))
  await upsertScores(tx, rows)
  await upsertReadinessSnapshots(tx, dayInTimezone(now, await timezoneOf(tx)), rows)
  for (const { user_id, level, score_tenths } of rows) {
    const from = added.has(user_id) ? undefined : formerLevels.get(user_id)
    if (from !== undefined && from !== level)
      await emit(tx, readinessLevelChanged, { id: user_id }, { from, to: level, score: toScore(score_tenths) })
  }
}

export const toScore = (tenths: number | null): number | null => (tenths === null ? null : tenths / 10)

/** Calculates a batch of marked users. Returns whether more marks are left. */
export async function recomputeMarked(tx: TenantTx, now: Date): Promise<boolean> {
  const marks = await listMarks(tx, marksPerBatch)
  const userIds = [...new Set(marks.map(({ user_id }) => user_id))].slice(0, batchSize)
  const batch = new Set(userIds)
  const sellers = await findSellers(tx, userIds)
  await storeReadiness(
    tx,
    sellers.map(({ id }) => id),
    now,
  )
  const done = marks.filter(({ user_id }) => batch.has(user_id))
  await deleteMarks(
    tx,
    done.map(({ id }) => id),
  )
  return marks.length === marksPerBatch || done.length < marks.length
}

export async function findSellers(tx: TenantTx, userIds: readonly string[]): Promise<UserCard[]> {
  const [{ excluded_roles }, cards] = await Promise.all([readReadinessSettings(tx), findUserCards(tx, userIds)])
  return [...cards.values()].filter(({ status, role }) => status === 'active' && !excluded_roles.includes(role))
}

/** Active users whose role has a readiness, by id. */
export async function listSellers(tx: TenantTx, after: string, limit: number): Promise<UserCard[]> {
  const { excluded_roles } = await readReadinessSettings(tx)
  return await listActiveUserCards(tx, { withoutRoles: excluded_roles, after, limit })
}

/** Calculates those of a batch of sellers whose score is too old. Returns the last seller of a full batch. */
export async function recomputeSellersAfter(tx: TenantTx, after: string, now: Date): Promise<string | undefined> {
  const sellers = await listSellers(tx, after, batchSize)
  const ids = sellers.map(({ id }) => id)
  await storeReadiness(tx, await listUsersToRenew(tx, ids, now), now)
  return sellers.length === batchSize ? ids.at(-1) : undefined
}

/** Marks a batch of sellers. Returns the last one of a full batch. */
export async function markSellersAfter(tx: TenantTx, after: string): Promise<string | undefined> {
  const sellers = await listSellers(tx, after, marksPerBatch)
  await markUsers(
    tx,
    sellers.map(({ id }) => id),
  )
  return sellers.length === marksPerBatch ? sellers.at(-1)?.id : undefined
}
