import { findUserNames, toUserReference } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import type { ContentViewer } from '../content/content.rules.ts'
import { type ContentContext, presentSummaries } from '../content/present-content.service.ts'
import { resolveContent } from '../content/resolve-content.service.ts'
import { type EntryRow, listEntries, listFirstEntries } from './collection-items.queries.ts'
import type { CollectionRow } from './collections.queries.ts'
import type { Collection, CollectionEntry, CollectionSummary } from './collections.schemas.ts'

const shownThumbnails = 4

/** An entry whose replacement is in the collection too is not shown twice. */
export async function presentEntries(
  tx: TenantTx,
  context: ContentContext,
  viewer: ContentViewer,
  entries: readonly EntryRow[],
): Promise<{ items: CollectionEntry[]; hidden_count: number }> {
  const resolved = await resolveContent(
    tx,
    entries.map(({ content_item_id }) => content_item_id),
    viewer,
  )
  const ownIds = new Set(entries.map(({ content_item_id }) => content_item_id))
  const shownIds = new Set<string>()
  const shown = entries.flatMap((entry) => {
    const content = resolved.get(entry.content_item_id)
    if (content?.state !== 'visible') return []
    const isRepeated = shownIds.has(content.item.id) || (content.replacedFrom !== null && ownIds.has(content.item.id))
    if (isRepeated) return []
    shownIds.add(content.item.id)
    return [{ entry, content }]
  })
  const hidden_count = entries.filter(({ content_item_id: id }) => resolved.get(id)?.state !== 'visible').length
  const summaries = await presentSummaries(
    tx,
    context,
    shown.map(({ content }) => content.item),
  )
  const items = shown.map(({ entry: { content_item_id, position, note }, content }, index) => ({
    content_item_id,
    position,
    note,
    item: summaries[index]!,
    replaced_from: content.replacedFrom,
  }))
  return { items, hidden_count }
}

export async function presentCollection(
  tx: TenantTx,
  context: ContentContext,
  viewer: ContentViewer,
  row: CollectionRow,
): Promise<Collection> {
  const entries = await presentEntries(tx, context, viewer, await listEntries(tx, row.id))
  const names = await findUserNames(tx, row.owner_id ? [row.owner_id] : [])
  return { ...withOwner(row, names), ...entries }
}

export async function presentCollectionSummaries(
  tx: TenantTx,
  context: ContentContext,
  viewer: ContentViewer,
  rows: readonly CollectionRow[],
): Promise<CollectionSummary[]> {
  if (!rows.length) return []
  const names = await findUserNames(
    tx,
    rows.flatMap(({ owner_id }) => owner_id ?? []),
  )
  const first = await listFirstEntries(
    tx,
    rows.map(({ id }) => id),
    shownThumbnails,
  )
  const { items } = await presentEntries(tx, context, viewer, uniqueItems(first))
  const thumbnailOf = new Map(items.map((entry) => [entry.content_item_id, entry.item.file?.thumbnail_url]))
  const entriesOf = Map.groupBy(first, ({ collection_id }) => collection_id)
  return rows.map((row) => ({
    ...withOwner(row, names),
    thumbnail_urls: (entriesOf.get(row.id) ?? []).flatMap(
      ({ content_item_id }) => thumbnailOf.get(content_item_id) ?? [],
    ),
  }))
}

const uniqueItems = (entries: readonly EntryRow[]) => [
  ...new Map(entries.map((entry) => [entry.content_item_id, entry])).values(),
]

const withOwner = (row: CollectionRow, names: Map<string, string>) => ({
  ...row,
  owner: toUserReference(names, row.owner_id),
})
