import { sql } from 'kysely'
import { inSystem, type SystemDb } from '#platform/db'
import { keptHours } from './claim.ts'

const batch = 1_000

/** Keys of all tenants that have had their day, but for those a request still holds. Returns how many there were. */
export async function forgetOldKeys({ systemDb, now }: { systemDb: SystemDb; now?: Date }): Promise<number> {
  let forgotten = 0
  for (;;) {
    const count = await forgetSome(systemDb, now ?? null)
    forgotten += count
    if (count < batch) return forgotten
  }
}

/** In small steps. The conditions stand twice, because a key may be claimed anew between being found and being deleted. */
async function forgetSome(systemDb: SystemDb, now: Date | null): Promise<number> {
  const at = sql`coalesce(${now}::timestamptz, now())`
  const isOver = sql`created_at <= ${at} - make_interval(hours => ${keptHours}) and lease_until <= ${at}`
  const { numAffectedRows = 0n } = await inSystem(systemDb, (tx) =>
    sql`
      delete from platform.idempotency_keys
      where (tenant_id, caller_id, route, key) in (
        select tenant_id, caller_id, route, key from platform.idempotency_keys
        where ${isOver} order by created_at limit ${batch}
      ) and ${isOver}
    `.execute(tx),
  )
  return Number(numAffectedRows)
}
