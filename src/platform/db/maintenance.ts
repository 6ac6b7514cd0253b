import { sql } from 'kysely'
import type { SystemTx, TenantTx } from './tenant-tx.ts'

export async function assumeRetentionRole(tx: TenantTx): Promise<void> {
  await sql`set local role app_retention`.execute(tx)
}

export type BatchContext = { inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>; signal?: AbortSignal }

/** Runs batches, each in its own transaction, until one has nothing to do. Returns the total. */
export async function repeatUntilEmpty(
  { inSystem, signal }: BatchContext,
  runBatch: (tx: SystemTx) => Promise<number>,
): Promise<number> {
  for (let total = 0; ; ) {
    signal?.throwIfAborted()
    const count = await inSystem(runBatch)
    if (count === 0) return total
    total += count
  }
}
