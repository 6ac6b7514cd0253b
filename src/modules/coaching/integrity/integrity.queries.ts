import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export async function findLostEvaluations(tx: TenantTx, before: Date, limit: number): Promise<string[]> {
  const sessions = await tx
    .selectFrom('enablement.coaching_sessions')
    .select('id')
    .where('status', '=', 'evaluating')
    .where('last_activity_at', '<', before)
    .orderBy('id')
    .limit(limit)
    .execute()
  return sessions.map(({ id }) => id)
}

export const listEvaluatingRoleplays = (
  tx: TenantTx,
  ids: readonly string[],
): Promise<{ id: string; turns: number; status: string }[]> =>
  tx
    .selectFrom('enablement.coaching_sessions')
    .select(['id', 'turns', 'status'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', '=', 'evaluating')
    .orderBy('id')
    .execute()

/** The first messages may have been deleted by retention; the rest is numbered up to the last turn. */
export async function findRoleplaysWithGaps(tx: TenantTx, limit: number): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select session.id from enablement.coaching_sessions as session
    join (select session_id, min(seq) as first, max(seq) as last, count(*) as n
      from enablement.roleplay_messages group by session_id) as message on message.session_id = session.id
    where message.last - message.first + 1 <> message.n or message.last <> 2 * session.turns + 1
    order by session.id limit ${limit}
  `.execute(tx)
  return rows.map(({ id }) => id)
}
