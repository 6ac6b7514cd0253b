import type { ResolvedContent } from '#modules/library'
import { isInternalType } from '#modules/library'
import { conflict, invalid } from '#platform/errors'
import type { AddedCollection, ItemKind, NewRoomItem } from './items.schemas.ts'
import { isShareable } from './room-content.rules.ts'

export const maxItems = 200

export function assertItemLimit(items: number): void {
  if (items > maxItems)
    throw conflict('limit_reached', `A room can have at most ${maxItems} items. Delete an item first.`)
}

const sourceOf = { content: 'content_item_id', link: 'url', text: 'body' } as const satisfies Record<ItemKind, string>

/** A link and a text need a title, because they have no content item with one. */
export function assertCompleteItem(input: NewRoomItem): void {
  const kind = input.kind ?? 'content'
  const source = sourceOf[kind]
  if (input[source] === undefined)
    throw invalid('body', `/${source}`, 'required', `\`${source}\` is required for the kind \`${kind}\`.`)
  const extra = Object.values(sourceOf).find((other) => other !== source && input[other] !== undefined)
  if (extra) throw invalid('body', `/${extra}`, 'unexpected', `\`${extra}\` cannot be combined with \`${source}\`.`)
  if (kind !== 'content' && !input.title)
    throw invalid('body', '/title', 'required', `\`title\` is required for the kind \`${kind}\`.`)
  if (kind !== 'content') assertNoPinnedVersion(input)
}

/** Fields of a single item cannot be combined with a collection. */
export function assertOnlyCollection(input: NewRoomItem): void {
  const ofItem = [...Object.values(sourceOf), 'title', 'description', 'position', 'pinned_version_no'] as const
  const extra = ofItem.find((field) => input[field] !== undefined)
  if (extra) throw invalid('body', `/${extra}`, 'unexpected', `\`${extra}\` cannot be combined with \`collection_id\`.`)
}

type RoomState = { inRoom: ReadonlySet<string>; free: number; userId: string | null }

/** Content that the caller may not see is left out, so that its id is not shown. */
export function selectEligible(contents: readonly ResolvedContent[], { inRoom, free, userId }: RoomState) {
  const eligible = new Set<string>()
  const skipped: AddedCollection['skipped'] = []
  for (const { item, state } of contents.filter((content) => content.state !== 'hidden')) {
    const reason = inRoom.has(item.id) || eligible.has(item.id) ? 'already_in_room' : reasonToSkip(item, state, userId)
    if (reason) skipped.push({ content_item_id: item.id, code: reason })
    else if (eligible.size === free) skipped.push({ content_item_id: item.id, code: 'limit_reached' })
    else eligible.add(item.id)
  }
  return { eligible: [...eligible], skipped }
}

function reasonToSkip(item: ResolvedContent['item'], state: ResolvedContent['state'], userId: string | null) {
  if (state === 'hidden_archived') return 'archived'
  if (isInternalType(item.type)) return 'internal_only_type'
  return isShareable(item, userId) ? undefined : 'not_published'
}

export function assertNoPinnedVersion({ pinned_version_no }: { pinned_version_no?: number | null }): void {
  if (pinned_version_no)
    throw invalid('body', '/pinned_version_no', 'unexpected', '`pinned_version_no` is only possible for content.')
}

export const internalOnlyType = () =>
  invalid('body', '/content_item_id', 'internal_only_type', 'Battlecards and playbooks must not be added to a room.')
