import { secondsLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { listVisibleItems } from '../content/viewer.service.ts'
import { calculateReadinessOf } from './calculate-readiness.service.ts'
import { listOutdatedUserIds, type ReadinessRow, type Users } from './readiness.queries.ts'
import type { Gap } from './readiness.rules.ts'
import { readerSeconds, toReadinessRow } from './recompute-readiness.service.ts'

/** Users whose stored score is not the one that a calculation would have now. */
export async function listOutdated(tx: TenantTx, users: Users, now: Date): Promise<Set<string>> {
  return new Set(await listOutdatedUserIds(tx, users, { now, viewedSince: secondsLater(now, -readerSeconds) }))
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
