import { type ContentViewer, canSee, isInAudience, isInternalType } from '#modules/library'
import type { ItemState } from './items.schemas.ts'

type SharedContent = { id: string; type: string; status: string; owner_id: string | null; published_at: Date | null }
type PlacedItem = { content_item_id: string | null; added_by: string | null }

/** Sellers may share own drafts. Content that was published and taken back is hidden. */
export const isShareable = (content: SharedContent, addedBy: string | null): boolean =>
  !isInternalType(content.type) &&
  (content.status === 'published' ||
    (content.status === 'draft' &&
      content.published_at === null &&
      content.owner_id !== null &&
      content.owner_id === addedBy))

/** `content` is what is shown: the content itself or its replacement; undefined if there is none. */
export function stateOf(item: PlacedItem, content: SharedContent | undefined, isDeleted: boolean): ItemState {
  if (item.content_item_id === null) return 'ok'
  if (isDeleted) return 'hidden_deleted'
  if (!content) return 'hidden_archived'
  if (!isShareable(content, item.added_by)) return 'hidden_unpublished'
  return content.id === item.content_item_id ? 'ok' : 'replaced'
}

type ReadContent = { owner_id: string | null; status: string; audience_team_ids: readonly string[] | null }
type ReadItem = { row: PlacedItem; added: ReadContent | undefined; content: ReadContent | undefined }

/**
 * Whether the details of the item must be hidden from a reader of the room. Archived content is judged by its audience,
 * because `canSee` hides it from its former readers; deleted content is known to the user who added it.
 */
export function isRestricted({ row, added, content }: ReadItem, viewer: ContentViewer): boolean {
  if (row.content_item_id === null) return false
  if (content && !canSee(content, viewer)) return true
  return added ? !isInAudience(added, viewer) : !viewer.isManager && row.added_by !== viewer.userId
}
