import { listTeamIdsOfUser } from '#modules/identity'
import { isManagerOrAdmin } from '#platform/access'
import { actorOf, type TenantTx } from '#platform/db'
import { type ContentRow, listItemsByIds, lockItemsShared, type PresentedRow } from './content.queries.ts'
import { type ContentViewer, canSee } from './content.rules.ts'

/** Managers see all content, so their teams are not read. */
export async function readViewer(tx: TenantTx): Promise<ContentViewer> {
  const { userId, role } = actorOf(tx)
  const isManager = role !== null && isManagerOrAdmin(role)
  return { userId, isManager, teamIds: isManager || !userId ? [] : await listTeamIdsOfUser(tx, userId) }
}

export async function listVisibleItems(tx: TenantTx, ids: readonly string[]): Promise<PresentedRow<ContentRow>[]> {
  if (!ids.length) return []
  const [viewer, items] = await Promise.all([readViewer(tx), listItemsByIds(tx, ids)])
  return items.filter((item) => canSee(item, viewer))
}

/** Returns false if the caller cannot see the item. Locks it for a record that will refer to it. */
export async function lockVisibleItem(tx: TenantTx, id: string): Promise<boolean> {
  const [item] = await lockItemsShared(tx, [id])
  return item !== undefined && canSee(item, await readViewer(tx))
}
