import { sql } from 'kysely'
import { listTenantsWithRows, type SystemTx, type TenantTx } from '#platform/db'

export const listTenantsWithActiveRooms = (tx: SystemTx): Promise<string[]> =>
  listTenantsWithRows(tx, 'enablement.rooms', sql`status = 'active' and deleted_at is null`)

export function listActiveRooms(tx: TenantTx, after: string) {
  return tx
    .selectFrom('enablement.rooms')
    .select(['id', 'name', 'owner_id', 'settings', 'opportunity_id', 'activated_at', 'engagement_score'])
    .select(['last_external_visit_at', 'silent_alert_at'])
    .where('id', '>', after)
    .where('status', '=', 'active')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(500)
    .execute()
}

export async function markSilentAlert(tx: TenantTx, roomId: string, now: Date): Promise<void> {
  await tx.updateTable('enablement.rooms').set({ silent_alert_at: now }).where('id', '=', roomId).execute()
}
