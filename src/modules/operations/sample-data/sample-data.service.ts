import { findUserNames } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { listChangedResources, recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { newId } from '#platform/ids'
import type { SampleRecord } from '#platform/module'
import { findOpenTask, startTask } from '#platform/tasks'
import {
  findSampleBatch,
  insertSampleBatch,
  listSampleRecords,
  lockSampleBatch,
  type SampleBatch,
  updateSampleBatch,
} from './sample-batches.queries.ts'
import type { SampleDataStatus } from './sample-data.schemas.ts'
import { loadSampleDataTask, removeSampleDataTask } from './sample-data-tasks.ts'

export async function getSampleDataStatus(tx: TenantTx): Promise<SampleDataStatus> {
  const batch = await findSampleBatch(tx)
  if (!batch)
    return {
      loaded: false,
      state: 'none',
      batch_id: null,
      loaded_at: null,
      loaded_by: null,
      counts: {},
      modified_count: 0,
    }
  const records = await listSampleRecords(tx)
  const names = await findUserNames(tx, [batch.loaded_by])
  const byType = Map.groupBy(records, ({ resource_type }) => resource_type)
  return {
    loaded: batch.state === 'loaded',
    state: batch.state as SampleDataStatus['state'],
    batch_id: batch.batch_id,
    loaded_at: batch.loaded_at,
    loaded_by: { id: batch.loaded_by, name: names.get(batch.loaded_by) ?? '' },
    counts: Object.fromEntries([...byType].map(([type, { length }]) => [type, length])),
    modified_count: (await listModified(tx, batch, records)).length,
  }
}

/** A load whose task has failed continues where it ended. */
export async function startSampleDataLoad(tx: TenantTx, actor: UserActor, now: Date) {
  const created = await insertSampleBatch(tx, { batch_id: newId(), loaded_by: actor.userId, planned_at: now })
  const batch = created ?? (await lockSampleBatch(tx))
  if (batch?.state !== 'loading' || (await findOpenTask(tx, loadSampleDataTask)))
    throw conflict('already_exists', 'The workspace already has sample data. Remove it before you load it again.')
  await recordAudit(tx, 'sample_data.loaded', { id: batch.batch_id })
  return await startTask(tx, loadSampleDataTask, {}, { title: 'Load sample data' })
}

export async function startSampleDataRemoval(tx: TenantTx, { includeModified }: { includeModified: boolean }) {
  const batch = await lockSampleBatch(tx)
  if (!batch) throw notFound('sample data')
  if (batch.state === 'loading' && (await findOpenTask(tx, loadSampleDataTask)))
    throw conflict('conflict', 'The sample data is being loaded. Wait until the task has finished.')
  if (await findOpenTask(tx, removeSampleDataTask))
    throw conflict('conflict', 'The sample data is already being removed.')
  await updateSampleBatch(tx, { state: 'removing' })
  await recordAudit(tx, 'sample_data.removed', { id: batch.batch_id })
  return await startTask(
    tx,
    removeSampleDataTask,
    { include_modified: includeModified },
    { title: 'Remove sample data' },
  )
}

/** Returns the sample records that users have changed since the load. */
export async function listModified(tx: TenantTx, batch: SampleBatch, records: readonly SampleRecord[]) {
  if (!batch.loaded_at) return []
  const ids = records.map(({ id }) => id)
  const changed = await listChangedResources(tx, ids, batch.loaded_at)
  return records.filter(({ id }) => changed.has(id))
}
