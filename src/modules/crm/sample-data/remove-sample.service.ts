import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { IntegrityRun, RecordReference } from '#platform/module'
import { deleteUnusedLeadSources } from '../people/lead-sources/lead-sources.queries.ts'
import {
  deleteActivityRows,
  type PurgeableRecord,
  purgeableRecords,
  purgeRecords,
} from '../records/removal/purge-deleted.queries.ts'
import { sources } from './lead-story.rules.ts'

const batchSize = 200

/** Deletes the records with their history. An account that has deals of its own is kept. */
export async function removeSampleRecords(
  { inTenant, signal }: IntegrityRun,
  records: readonly RecordReference[],
): Promise<RecordReference[]> {
  const idsOf = (type: string) => records.filter(({ resource_type }) => resource_type === type).map(({ id }) => id)
  const forEachBatch = async (
    ids: readonly string[],
    work: (tx: TenantTx, batch: readonly string[]) => Promise<void>,
  ) => {
    for (let done = 0; done < ids.length; done += batchSize) {
      signal.throwIfAborted()
      await inTenant((tx) => work(tx, ids.slice(done, done + batchSize)))
    }
  }
  const removed = new Set<string>()
  await forEachBatch(idsOf('activity'), deleteActivityRows)
  for (const record of purgeableRecords)
    await forEachBatch(idsOf(record.type), async (tx, batch) => {
      for (const id of await removeBatch(tx, record, batch)) removed.add(id)
    })
  await inTenant((tx) =>
    deleteUnusedLeadSources(
      tx,
      sources.map(({ key }) => key),
    ),
  )
  const types: readonly string[] = purgeableRecords.map(({ type }) => type)
  return records
    .filter(({ resource_type, id }) => types.includes(resource_type) && !removed.has(id))
    .map(({ resource_type, id }) => ({ resource_type, id }))
}

async function removeBatch(tx: TenantTx, record: PurgeableRecord, ids: readonly string[]): Promise<string[]> {
  const removed = await purgeRecords(tx, record, ids)
  await recordAudit(tx, `${record.type}.sample_removed`, {
    id: null,
    label: 'Sample data',
    after: { records: removed.length },
  })
  return removed
}
