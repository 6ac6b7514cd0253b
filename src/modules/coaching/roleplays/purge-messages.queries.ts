import { sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

export const listTenantsWithMessages = (system: SystemTx, before: Date): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) =>
    listTenantsWithRows(tx, 'enablement.roleplay_messages', sql`created_at < ${before}`),
  )

/** Deletes a batch and returns its size. A conversation that continues keeps its messages. */
export async function deleteOldMessages(tx: TenantTx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from enablement.roleplay_messages where id = any (array(
      select message.id from enablement.roleplay_messages as message
      where message.created_at < ${before} and not exists (
        select from enablement.coaching_sessions as session
        where session.id = message.session_id and session.status in ('active', 'evaluating'))
      order by message.created_at limit ${limit}::integer))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
