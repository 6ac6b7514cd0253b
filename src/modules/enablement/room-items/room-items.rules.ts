import { conflict, invalid } from '#platform/errors'
import type { ItemKind, NewRoomItem } from './room-items.schemas.ts'

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

export function assertNoPinnedVersion({ pinned_version_no }: { pinned_version_no?: number | null }): void {
  if (pinned_version_no)
    throw invalid('body', '/pinned_version_no', 'unexpected', '`pinned_version_no` is only possible for content.')
}

export const internalOnlyType = () =>
  invalid('body', '/content_item_id', 'internal_only_type', 'Battlecards and playbooks must not be added to a room.')
