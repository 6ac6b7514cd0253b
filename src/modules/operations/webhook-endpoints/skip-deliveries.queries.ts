import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

type SkippedRange = { endpointId: string; untilId: string; now: Date; limit: number }

export async function markPendingSkipped(tx: TenantTx, { endpointId, untilId, now, limit }: SkippedRange) {
  const { numAffectedRows = 0n } = await sql`
    update operations.webhook_deliveries set state = 'skipped', next_attempt_at = null, finished_at = ${now}
    where state = 'pending' and id = any(array(
      select id from operations.webhook_deliveries
      where endpoint_id = ${endpointId} and state = 'pending' and id <= ${untilId} order by next_attempt_at, id limit ${limit}))
  `.execute(tx)
  return Number(numAffectedRows)
}
