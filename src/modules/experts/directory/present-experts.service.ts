import { findUserCards, toUserReference } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { ExpertRow } from '../records/experts.queries.ts'
import { canBeExpert, isAvailable, ratingAverage } from '../records/experts.rules.ts'
import type { Expert } from '../records/experts.schemas.ts'
import { countOpenRequests, readMedianResponses } from '../requests/requests.queries.ts'

const medianDays = 90

export type LoadedExpert = ExpertRow & { name: string; openCount: number; isUserActive: boolean }

/** Adds name and load, by which the directory is searched and sorted. */
export async function loadExperts(tx: TenantTx, rows: readonly ExpertRow[]): Promise<LoadedExpert[]> {
  const [cards, open] = await Promise.all([
    findUserCards(
      tx,
      rows.map(({ user_id }) => user_id),
    ),
    countOpenRequests(
      tx,
      rows.map(({ id }) => id),
    ),
  ])
  return rows.map((row) => {
    const user = cards.get(row.user_id)
    return {
      ...row,
      name: user?.name ?? '',
      openCount: open.get(row.id) ?? 0,
      isUserActive: user !== undefined && canBeExpert(user),
    }
  })
}

export async function presentLoadedExperts(
  tx: TenantTx,
  experts: readonly LoadedExpert[],
  now: Date,
): Promise<Expert[]> {
  const medians = await readMedianResponses(
    tx,
    experts.map(({ id }) => id),
    daysLater(now, -medianDays),
  )
  return experts.map((expert) => {
    const { name, openCount, isUserActive, rating_sum: _, rank_score, ...row } = expert
    return {
      ...row,
      user: toUserReference(new Map([[row.user_id, name]]), row.user_id),
      open_count: openCount,
      is_available: isAvailable(row, { openCount, isUserActive }, now),
      rating_average: ratingAverage(expert),
      rank_score: Number(rank_score),
      median_response_seconds: medians.get(row.id) ?? null,
    }
  })
}

export const presentExperts = async (tx: TenantTx, rows: readonly ExpertRow[], now: Date): Promise<Expert[]> =>
  presentLoadedExperts(tx, await loadExperts(tx, rows), now)
