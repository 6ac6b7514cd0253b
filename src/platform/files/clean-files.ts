import { mapConcurrently } from '#platform/concurrency'
import type { TenantTx } from '#platform/db'
import type { JobContext } from '#platform/jobs'
import { storageKey } from '#platform/storage'
import type { FilesContext } from './context.ts'
import { deleteFileRows, listFilesToClean } from './files.queries.ts'

type FileBatch = {
  keptPurposes: readonly string[]
  limit: number
  save(tx: TenantTx, count: number): Promise<void>
}

/** Deletes the bytes before the rows, so that an interrupted batch is repeated. Returns the number of deleted files. */
export async function deleteFileBatch(
  { storage }: Pick<FilesContext, 'storage'>,
  { tenantId, inTenant }: Pick<JobContext, 'tenantId' | 'inTenant'>,
  { keptPurposes, limit, save }: FileBatch,
): Promise<number> {
  const files = await inTenant((tx) => listFilesToClean(tx, keptPurposes, limit))
  if (!files.length) return 0
  await mapConcurrently(files, 8, ({ id, storage_area }) => storage.delete(storageKey(tenantId, storage_area, id)))
  await inTenant(async (tx) => {
    const ids = files.map(({ id }) => id)
    await deleteFileRows(tx, ids)
    await save(tx, ids.length)
  })
  return files.length
}
