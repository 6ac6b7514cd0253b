import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type SampleIds = { collections: readonly string[]; items: readonly string[] }

/** Views, statistics and search texts are deleted with their items. */
export async function deleteSampleRows(tx: TenantTx, { collections, items }: SampleIds): Promise<void> {
  await sql`select id from enablement.content_items where id = any (${items}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`select id from enablement.collections where id = any (${collections}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`delete from enablement.collections where id = any (${collections}::uuid[])`.execute(tx)
  await sql`delete from enablement.content_items where id = any (${items}::uuid[])`.execute(tx)
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
