import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type SampleIds = { collections: readonly string[]; items: readonly string[] }

/** Views, statistics and search texts are deleted with their items. Locks in id order to avoid deadlocks. Returns the files of the items. */
export async function deleteSampleRows(tx: TenantTx, { collections, items }: SampleIds): Promise<string[]> {
  await sql`select id from enablement.content_items where id = any (${items}::uuid[]) order by id for update`.execute(
    tx,
  )
  await sql`select id from enablement.collections where id = any (${collections}::uuid[]) order by id for update`.execute(
    tx,
  )
  const { rows } = await sql<{ file_id: string }>`
    select distinct file_id from enablement.content_versions where item_id = any (${items}::uuid[]) and file_id is not null
  `.execute(tx)
  await sql`delete from enablement.collections where id = any (${collections}::uuid[]) returning id`.execute(tx)
  await sql`delete from enablement.content_items where id = any (${items}::uuid[]) returning id`.execute(tx)
  return rows.map(({ file_id }) => file_id)
}

export async function deleteSampleMisses(tx: TenantTx, queries: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('enablement.content_search_misses')
    .where('query_norm', '=', sql<string>`any(${queries}::text[])`)
    .execute()
}
