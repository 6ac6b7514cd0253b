import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type EntryRow = { collection_id: string; content_item_id: string; position: number; note: string | null }

const entries = (tx: TenantTx) =>
  tx.selectFrom('enablement.collection_items').select(['collection_id', 'content_item_id', 'position', 'note'])

export const listEntries = (tx: TenantTx, collectionId: string): Promise<EntryRow[]> =>
  entries(tx).where('collection_id', '=', collectionId).orderBy('position').execute()

export const listFirstEntries = (tx: TenantTx, collectionIds: readonly string[], limit: number): Promise<EntryRow[]> =>
  entries(tx)
    .where('collection_id', '=', sql<string>`any(${collectionIds}::uuid[])`)
    .where('position', '<', limit)
    .orderBy('collection_id')
    .orderBy('position')
    .execute()

/** Writes the entries in the given order, with one statement however many they are. Existing notes are kept. */
export async function upsertEntries(
  tx: TenantTx,
  collectionId: string,
  itemIds: readonly string[],
  { note, addedBy }: { note: string | null; addedBy: string | null },
): Promise<void> {
  await sql`
    insert into enablement.collection_items (collection_id, content_item_id, position, note, added_by)
    select ${collectionId}::uuid, ordered.id, ordered.place - 1, ${note}, ${addedBy}::uuid
    from unnest(${itemIds}::uuid[]) with ordinality as ordered (id, place)
    on conflict on constraint collection_items_pkey do update set position = excluded.position
    where collection_items.position <> excluded.position
  `.execute(tx)
}

export async function deleteEntry(tx: TenantTx, collectionId: string, itemId: string): Promise<number | undefined> {
  const entry = await tx
    .deleteFrom('enablement.collection_items')
    .where('collection_id', '=', collectionId)
    .where('content_item_id', '=', itemId)
    .returning('position')
    .executeTakeFirst()
  return entry?.position
}

/** Deletes the entries of an item in collections that the caller has locked, and closes the gaps. */
export async function deleteEntriesOfItem(tx: TenantTx, itemId: string): Promise<void> {
  await sql`
    with removed as (
      delete from enablement.collection_items where content_item_id = ${itemId} returning collection_id, position
    ), moved as (
      update enablement.collection_items entry set position = entry.position - 1 from removed
      where entry.collection_id = removed.collection_id and entry.position > removed.position
    )
    update enablement.collections collection set item_count = item_count - 1,
      cover_item_id = nullif(cover_item_id, ${itemId}::uuid)
    from removed where collection.id = removed.collection_id
  `.execute(tx)
}

export async function closeGap(tx: TenantTx, collectionId: string, position: number): Promise<void> {
  await tx
    .updateTable('enablement.collection_items')
    .set({ position: sql<number>`position - 1` })
    .where('collection_id', '=', collectionId)
    .where('position', '>', position)
    .execute()
}

export async function findCollectionsWithWrongCount(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.collections collection
    where item_count <> (select count(*) from enablement.collection_items where collection_id = collection.id)
    limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function recountCollections(tx: TenantTx, ids: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update enablement.collections collection set item_count = counted.items
    from (select requested.id, (select count(*) from enablement.collection_items where collection_id = requested.id)::integer as items
      from unnest(${ids}::uuid[]) as requested (id)) counted
    where collection.id = counted.id and collection.item_count <> counted.items
  `.execute(tx)
  return Number(numAffectedRows)
}
