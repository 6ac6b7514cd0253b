import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/**
 * The parts of an erasure take their locks in the global order, but one after the other they do not. The preview gives up before
 * PostgreSQL looks for a deadlock, so that it fails and not the transaction of a user.
 */
export async function limitLockWaits(tx: TenantTx): Promise<void> {
  await sql`select set_config('lock_timeout', '500ms', true)`.execute(tx)
}
