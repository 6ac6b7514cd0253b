import { sql } from 'kysely'
import { inSystem, type SystemDb } from '#platform/db'
import { retentionHours } from './claim.ts'

const batchSize = 1_000

export async function deleteExpiredIdempotencyKeys({
  systemDb,
  now,
}: {
  systemDb: SystemDb
  now?: Date
}): Promise<number> {
  let total = 0
  for (;;) {
    const count = await deleteBatch(systemDb, now ?? null)
    total += count
    if (count < batchSize) return total
  }
}

/** Repeats the condition in the DELETE, because a key can be claimed again after the subquery has read it. */
async function deleteBatch(systemDb: SystemDb, now: Date | null): Promise<number> {
  const at = sql`coalesce(${now}::timestamptz, now())`
  const isExpired = sql`created_at <= ${at} - make_interval(hours => ${retentionHours}) and lease_until <= ${at}`
  const { numAffectedRows = 0n } = await inSystem(systemDb, (tx) =>
    sql`
      delete from platform.idempotency_keys
      where (tenant_id, caller_id, route, key) in (
        select tenant_id, caller_id, route, key from platform.idempotency_keys
        where ${isExpired} order by created_at limit ${batchSize}
      ) and ${isExpired}
    `.execute(tx),
  )
  return Number(numAffectedRows)
}
