import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function lockSessionsOf(
  tx: TenantTx,
  column: 'rep_id' | 'coach_id',
  userId: string,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from enablement.coaching_sessions where ${sql.ref(column)} = ${userId}::uuid
    order by id limit ${limit}::integer for update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Messages are deleted with their session. */
export async function deleteSessions(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`delete from enablement.coaching_sessions where id = any (${ids}::uuid[])`.execute(tx)
}

export async function clearCoach(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`update enablement.coaching_sessions set coach_id = null where id = any (${ids}::uuid[])`.execute(tx)
}
