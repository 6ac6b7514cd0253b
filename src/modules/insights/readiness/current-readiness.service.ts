import { listLastViews, listVisibleItems } from '#modules/library'
import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { calculateReadinessOf } from './calculate-readiness.service.ts'
import { listOutdatedUserIds, type ReadinessRow, type StoredScore, type Users } from './readiness.queries.ts'
import type { Gap } from './readiness.rules.ts'
import { readerSeconds, toReadinessRow } from './recompute-readiness.service.ts'

type IsOutdated = (score: Pick<StoredScore, 'user_id' | 'computed_at'>) => boolean

/** Returns whether a stored score of one of the users may not be the one that a calculation would have now. */
export async function readOutdated(tx: TenantTx, users: Users, now: Date): Promise<IsOutdated> {
  const [ids, views] = await Promise.all([
    listOutdatedUserIds(tx, users, now),
    listLastViews(tx, users, secondsLater(now, -readerSeconds)),
  ])
  const outdatedIds = new Set(ids)
  const viewedAt = new Map(views.map(({ user_id, viewed_at }) => [user_id, viewed_at]))
  // A date has no microseconds, so a view of the same millisecond can be later.
  return ({ user_id, computed_at }) => outdatedIds.has(user_id) || (viewedAt.get(user_id) ?? 0) >= computed_at
}

export async function calculateRows(
  tx: TenantTx,
  userIds: readonly string[],
  now: Date,
): Promise<Map<string, ReadinessRow>> {
  if (!userIds.length) return new Map()
  const calculated = await calculateReadinessOf(tx, userIds, now)
  return new Map([...calculated].map(([id, readiness]) => [id, toReadinessRow(id, readiness, now)]))
}

/** A coach may not see all content that the user has to read, and audience and title can be new since the calculation. */
export async function filterVisibleGaps(tx: TenantTx, gaps: readonly Gap[]): Promise<(gaps: readonly Gap[]) => Gap[]> {
  const itemIdOf = ({ ref }: Gap) => (ref?.type === 'content' ? ref.id : undefined)
  const ids = [...new Set(gaps.flatMap((gap) => itemIdOf(gap) ?? []))]
  if (!ids.length) return (own) => [...own]
  const visible = await listVisibleItems(tx, ids)
  const titles = new Map(visible.map(({ id, title }) => [id, title]))
  return (own) =>
    own.flatMap((gap) => {
      const itemId = itemIdOf(gap)
      if (itemId === undefined) return gap
      const title = titles.get(itemId)
      return title === undefined ? [] : { ...gap, title }
    })
}
