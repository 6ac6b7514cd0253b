import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, notFound, roleRequired } from '#platform/errors'
import { deleteFiles } from '#platform/files'
import { emit } from '#platform/outbox'
import { contentDeleted } from '../library.events.ts'
import { lockItem, updateItemRow } from './content.queries.ts'
import { canSee, isOwnerOrManager } from './content.rules.ts'
import type { AssertContentUnused } from './content-use.ts'
import type { ContentContext } from './present-content.service.ts'
import { deleteSearchText } from './search-content.queries.ts'
import { listVersionsOfItem } from './versions.queries.ts'
import { readViewer } from './viewer.service.ts'

/** Removes what refers to a deleted item: entries of collections and rooms. */
export type RemoveContentEntries = (tx: TenantTx, itemId: string) => Promise<void>
type DeleteContentInput = {
  expectedVersion?: number
  removeEntries: readonly RemoveContentEntries[]
  assertUnused: readonly AssertContentUnused[]
}

export async function deleteContentItem(
  tx: TenantTx,
  { clock }: ContentContext,
  id: string,
  { expectedVersion, removeEntries, assertUnused }: DeleteContentInput,
): Promise<void> {
  const viewer = await readViewer(tx)
  const item = await lockItem(tx, id)
  if (!canSee(item, viewer)) throw notFound('content item')
  if (!viewer.isManager && (!isOwnerOrManager(item, viewer) || item.published_at))
    throw roleRequired('Members can delete only own content that was never published. Ask a manager to delete it.')
  assertVersion(item, expectedVersion)

  for (const remove of removeEntries) await remove(tx, id)
  for (const assertUnusedBy of assertUnused) await assertUnusedBy(tx, item)
  const versions = await listVersionsOfItem(tx, id)
  await deleteFiles(
    tx,
    { clock },
    versions.flatMap(({ file_id }) => file_id ?? []),
  )
  await deleteSearchText(tx, id)
  const deleted = await updateItemRow(tx, id, { deleted_at: clock.now() })
  await recordAudit(tx, 'content.deleted', { id, label: item.title, before: item })
  await emit(tx, contentDeleted, deleted, {})
}
