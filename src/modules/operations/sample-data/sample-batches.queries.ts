import { selectRows, type TenantTx } from '#platform/db'
import type { SampleRecord } from '#platform/module'

const columns = ['batch_id', 'state', 'loaded_by', 'planned_at', 'loaded_at', 'done'] as const

export type SampleBatch = NonNullable<Awaited<ReturnType<typeof findSampleBatch>>>

export function findSampleBatch(tx: TenantTx) {
  return tx.selectFrom('operations.sample_batches').select(columns).executeTakeFirst()
}

/** Returns undefined if the workspace already has sample data. */
export function insertSampleBatch(tx: TenantTx, batch: { batch_id: string; loaded_by: string; planned_at: Date }) {
  return tx
    .insertInto('operations.sample_batches')
    .values({ ...batch, state: 'loading' })
    .onConflict((existing) => existing.constraint('sample_batches_pkey').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export function lockSampleBatch(tx: TenantTx) {
  return tx.selectFrom('operations.sample_batches').select(columns).forUpdate().executeTakeFirst()
}

type BatchChange = { state?: string; loaded_at?: Date; done?: number }

export async function updateSampleBatch(tx: TenantTx, change: BatchChange): Promise<void> {
  await tx.updateTable('operations.sample_batches').set(change).execute()
}

export async function deleteSampleBatch(tx: TenantTx): Promise<void> {
  await tx.deleteFrom('operations.sample_records').execute()
  await tx.deleteFrom('operations.sample_batches').execute()
}

export async function insertSampleRecords(tx: TenantTx, records: readonly SampleRecord[]): Promise<void> {
  if (!records.length) return
  const { columns, rows } = selectRows(records, { key: 'text', resource_type: 'text', id: 'uuid' })
  await tx.insertInto('operations.sample_records').columns(columns).expression(rows).execute()
}

export function listSampleRecords(tx: TenantTx): Promise<SampleRecord[]> {
  return tx.selectFrom('operations.sample_records').select(['key', 'resource_type', 'id']).orderBy('key').execute()
}
