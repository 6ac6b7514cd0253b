import { sql } from 'kysely'
import type { SystemTx, TenantTx } from './tenant-tx.ts'

export async function assumeRetentionRole(tx: TenantTx): Promise<void> {
  await sql`set local role app_retention`.execute(tx)
}

export async function dropPartitions(tx: SystemTx, table: string, endedBefore: Date): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    select platform.drop_partitions(${table}, ${endedBefore}) as dropped
  `.execute(tx)
  return rows[0]?.dropped ?? 0
}

type BatchContext = { inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>; signal?: AbortSignal }

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
