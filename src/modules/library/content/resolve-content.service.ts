import type { TenantTx } from '#platform/db'
import { type ContentRow, listItemsByIds, listReplacements, type PresentedRow } from './content.queries.ts'
import { type ContentViewer, canSee, isInAudience } from './content.rules.ts'

export type ResolvedContent = {
  requested: PresentedRow<ContentRow>
  /** The item to show: the requested one, or the published item that replaces it. */
  item: PresentedRow<ContentRow>
  /** Id of the requested item if a replacement is shown. */
  replacedFrom: string | null
  /** `hidden_archived`: archived without a published replacement; `hidden`: the viewer may not see the item. */
  state: 'visible' | 'hidden' | 'hidden_archived'
}

/** Resolves what collections and rooms show for items. Deleted items are left out. Without a viewer, all items are visible. */
export async function resolveContent(
  tx: TenantTx,
  ids: readonly string[],
  viewer: ContentViewer | null,
): Promise<Map<string, ResolvedContent>> {
  if (!ids.length) return new Map()
  const replacementOf = await listReplacements(tx, ids)
  const items = await listItemsByIds(tx, [...new Set([...ids, ...replacementOf.values()])])
  const byId = new Map(items.map((item) => [item.id, item]))
  const resolved = new Map<string, ResolvedContent>()
  for (const id of ids) {
    const requested = byId.get(id)
    if (!requested) continue
    const replacement = byId.get(replacementOf.get(id) ?? '')
    const item = replacement ?? requested
    resolved.set(id, { requested, item, replacedFrom: replacement ? id : null, state: stateOf(item, viewer) })
  }
  return resolved
}

function stateOf(item: ContentRow, viewer: ContentViewer | null): ResolvedContent['state'] {
  if (item.status === 'archived') return viewer === null || isInAudience(item, viewer) ? 'hidden_archived' : 'hidden'
  return viewer === null || canSee(item, viewer) ? 'visible' : 'hidden'
}
