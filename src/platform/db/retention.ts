import { sql } from 'kysely'
import type { TenantTx } from './tenant-tx.ts'

export async function assumeRetentionRole(tx: TenantTx): Promise<void> {
  await sql`set local role app_retention`.execute(tx)
}

/** Runs batches, each of which opens its own transaction, until one has nothing to do. Returns the total. */
export async function repeatUntilEmpty(runBatch: () => Promise<number>, signal?: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    signal?.throwIfAborted()
    const count = await runBatch()
    if (count === 0) return total
    total += count
  }
}
