import { sql } from 'kysely'
import type { SystemTx, TenantTx } from './tenant-tx.ts'

/** For the rest of the transaction, with the rights of retention and no others. */
export async function actAsRetention(tx: TenantTx): Promise<void> {
  await sql`set local role app_retention`.execute(tx)
}

/** Drops what ended before an instant and holds nothing that must be kept. Tells how many partitions that were. */
export async function dropPartitions(tx: SystemTx, table: string, endedBefore: Date): Promise<number> {
  const { rows } = await sql<{ dropped: number }>`
    select platform.drop_partitions(${table}, ${endedBefore}) as dropped
  `.execute(tx)
  return rows[0]?.dropped ?? 0
}

type Steps = { inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>; signal?: AbortSignal }

/** Repeats a step, each time in a transaction of its own, until it finds nothing more to do. Tells how much it did in all. */
export async function untilNone({ inSystem, signal }: Steps, step: (tx: SystemTx) => Promise<number>): Promise<number> {
  for (let total = 0; ; ) {
    signal?.throwIfAborted()
    const some = await inSystem(step)
    if (some === 0) return total
    total += some
  }
}
