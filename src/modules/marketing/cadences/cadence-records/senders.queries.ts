import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type SenderSettings = {
  user_id: string
  away_from: string | null
  away_to: string | null
  daily_limit: number | null
  signature: string | null
  others_may_enroll: boolean
}

/** Senders without settings are left out. */
export async function listSenderSettings(tx: TenantTx, userIds: readonly string[]): Promise<SenderSettings[]> {
  if (!userIds.length) return []
  return await tx
    .selectFrom('marketing.cadence_senders')
    .select(['user_id', 'away_from', 'away_to', 'daily_limit', 'signature', 'others_may_enroll'])
    .where('user_id', '=', sql<string>`any(${userIds}::uuid[])`)
    .execute()
}
