import { conflict, invalid, roleRequired } from '#platform/errors'
import type { ContentViewer } from '../content/content.rules.ts'
import { maxItems } from './collections.schemas.ts'

type Owned = { owner_id: string | null }
type Visible = Owned & { audience_team_ids: readonly string[] | null }

/** Same condition as `isVisibleTo` in collections.queries.ts. */
export const canSeeCollection = ({ owner_id, audience_team_ids }: Visible, viewer: ContentViewer): boolean =>
  viewer.isManager ||
  (owner_id !== null && owner_id === viewer.userId) ||
  audience_team_ids === null ||
  audience_team_ids.some((teamId) => viewer.teamIds.includes(teamId))

export function assertCanEditCollection({ owner_id }: Owned, viewer: ContentViewer): void {
  if (!viewer.isManager && (owner_id === null || owner_id !== viewer.userId))
    throw roleRequired('Only the owner of the collection or a manager can change it.')
}

export function assertNotArchived({ archived_at }: { archived_at: Date | null }): void {
  if (archived_at)
    throw conflict('conflict', 'An archived collection cannot be changed. Set `archived` to false first.')
}

export function assertItemLimit(count: number): void {
  if (count > maxItems)
    throw invalid('body', '/item_ids', 'max_items', `A collection must not have more than ${maxItems} items.`)
}

export function assertUniqueIds(ids: readonly string[]): void {
  const duplicate = ids.findIndex((id, index) => ids.indexOf(id) !== index)
  if (duplicate >= 0) throw invalid('body', `/item_ids/${duplicate}`, 'unique', 'Each item can be listed only once.')
}

export function assertSameItems(current: readonly string[], requested: readonly string[]): void {
  const known = new Set(current)
  if (current.length === requested.length && requested.every((id) => known.has(id))) return
  throw conflict('stale_order', 'The items of the collection have changed. Order the current ones.', {
    current_item_ids: current,
  })
}

/** Inserts the new items before the one at `position`, or at the end. */
export const insertAt = (current: readonly string[], added: readonly string[], position = current.length): string[] =>
  current.toSpliced(position, 0, ...added)
