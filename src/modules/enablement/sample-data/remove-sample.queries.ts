import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type SampleIds = { collections: readonly string[]; items: readonly string[] }

/** Views, statistics and search texts are deleted with their items. */
export async function deleteSampleRows(tx: TenantTx, { collections, items }: SampleIds): Promise<void> {
  await tx.deleteFrom('enablement.collections').where('id', '=', sql<string>`any(${collections}::uuid[])`).execute()
  await tx.deleteFrom('enablement.content_items').where('id', '=', sql<string>`any(${items}::uuid[])`).execute()
}

/** Everything of a room is deleted with it. Locks in id order to avoid deadlocks. */
export async function deleteSampleRooms(tx: TenantTx, roomIds: readonly string[]): Promise<void> {
  await tx
    .selectFrom('enablement.rooms')
    .select('id')
    .where('id', '=', sql<string>`any(${roomIds}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  await tx.deleteFrom('enablement.rooms').where('id', '=', sql<string>`any(${roomIds}::uuid[])`).execute()
}
