import type { TenantTx } from '#platform/db'
import type { SenderSettings } from './senders.schemas.ts'

export async function upsertSender(tx: TenantTx, userId: string, settings: SenderSettings, now: Date): Promise<void> {
  const fields = { ...settings, updated_at: now }
  await tx
    .insertInto('marketing.cadence_senders')
    .values({ user_id: userId, ...fields })
    .onConflict((conflict) => conflict.columns(['tenant_id', 'user_id']).doUpdateSet(fields))
    .execute()
}
