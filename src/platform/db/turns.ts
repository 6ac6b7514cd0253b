import { sql } from 'kysely'
import { type TenantTx, tenantOf } from './tenant-tx.ts'

/**
 * Waits until nobody else in the tenant holds this name, and holds it until the transaction ends. Where many may hold it at
 * once, they share it, and keep off only whoever wants it alone.
 */
export async function holdTurn(tx: TenantTx, name: string, { isShared = false } = {}): Promise<void> {
  const lock = isShared ? sql`pg_advisory_xact_lock_shared` : sql`pg_advisory_xact_lock`
  await sql`select ${lock}(hashtextextended(${`${tenantOf(tx)}:${name}`}, 0))`.execute(tx)
}
