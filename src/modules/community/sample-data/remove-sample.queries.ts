import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Replies, mentions and reports are deleted with their threads. */
export async function deleteSampleThreads(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`select id from community.threads where id = any (${ids}::uuid[]) order by id for update`.execute(tx)
  await sql`delete from community.threads where id = any (${ids}::uuid[]) returning id`.execute(tx)
}
