import { type RawBuilder, sql } from 'kysely'
import { retryOnContention } from '../database-errors.ts'
import { repeatUntilEmpty } from '../retention.ts'
import type { SystemTx } from '../tenant-tx.ts'

type MaintenanceContext = { inSystem<T>(work: (tx: SystemTx) => Promise<T>): Promise<T>; signal: AbortSignal }

export const createPartitions = (context: MaintenanceContext): Promise<number> =>
  repeatPartitionChange(context, sql`select platform.create_next_partition() as partition`)

/** Creates the partitions of a table by time for rows of the past that are about to be written. */
export const createPartitionsBetween = (
  context: MaintenanceContext,
  table: string,
  { since, until }: { since: Date; until: Date },
): Promise<number> =>
  repeatPartitionChange(
    context,
    sql`select platform.create_partition_between(${table}, ${since}, ${until}) as partition`,
  )

export const dropPartitions = (context: MaintenanceContext, table: string, endedBefore: Date): Promise<number> =>
  repeatPartitionChange(context, sql`select platform.drop_next_partition(${table}, ${endedBefore}) as partition`)

/** Changes one partition per transaction. The lock timeout is short, so that writers do not queue behind the lock for long. */
function repeatPartitionChange(
  { inSystem, signal }: MaintenanceContext,
  change: RawBuilder<{ partition: string | null }>,
): Promise<number> {
  const changeNext = async (tx: SystemTx) => {
    const { rows } = await change.execute(tx)
    return rows[0]?.partition ? 1 : 0
  }
  return repeatUntilEmpty(() => retryOnContention(() => inSystem(changeNext), signal), signal)
}

export async function listTablesByTime(tx: SystemTx): Promise<{ table: string; column: string }[]> {
  const { rows } = await sql<{ table: string; column: string }>`
    select parent as table, substring(pg_get_partkeydef(parent::regclass) from '\\((.*)\\)') as column
    from platform.partitioned_tables where key_type = 'time' order by parent
  `.execute(tx)
  return rows
}
