import { sql } from 'kysely'
import { listTenantsAsRetention, listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

export const listTenantsWithUsage = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'plg.states'))

export async function deleteEventsBefore(tx: TenantTx, before: Date, limit: number): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    with old as materialized (
      select occurred_at, event_id from plg.events where occurred_at < ${before} order by occurred_at, event_id limit ${limit}
    )
    delete from plg.events event using old where event.occurred_at = old.occurred_at and event.event_id = old.event_id
  `.execute(tx)
  return Number(numAffectedRows)
}

/** Days before this instant cannot be counted again. */
export async function savePurgedUntil(tx: TenantTx, until: Date): Promise<void> {
  await tx.updateTable('plg.states').set({ purged_until: until }).execute()
}
