import { defineJob, defineJobHandler, defineTenantSchedule, type JobContext } from '#platform/jobs'
import { Id, strict } from '#platform/schema'
import { storageKey } from '#platform/storage'
import {
  deleteFileRows,
  listDeletedFiles,
  listFilesToPurge,
  listTenantsWithFilesToPurge,
  type PurgedFile,
} from './files.queries.ts'
import type { FilesContext } from './purposes.ts'

const batchSize = 100

export const purgeFilesSchedule = ({ storage, clock }: Pick<FilesContext, 'storage' | 'clock'>) =>
  defineTenantSchedule('platform.purge_files', '13 3 * * *', {
    listTenants: (tx) => listTenantsWithFilesToPurge(tx, clock.now()),
    async runForTenant(context) {
      const { inTenant, signal, log } = context
      const now = clock.now()
      for (let purged = 0; ; ) {
        signal.throwIfAborted()
        const due = await inTenant((tx) => listFilesToPurge(tx, now, batchSize))
        await purgeFiles({ storage }, context, due)
        purged += due.length
        if (due.length === batchSize) continue
        if (purged) log.info({ purged }, 'purged deleted files')
        return
      }
    },
  })

export const purgeFileJob = defineJob('platform.purge_file', 'maintenance', strict({ file_id: Id }))

/** Ignores `delete_after`, because the clock of this process may be behind. A file that was restored is kept. */
export const purgeFileHandler = ({ storage }: Pick<FilesContext, 'storage'>) =>
  defineJobHandler(purgeFileJob, async (context, { file_id: id }) => {
    const files = await context.inTenant((tx) => listDeletedFiles(tx, [id]))
    await purgeFiles({ storage }, context, files)
  })

/** Deletes files with their thumbnails: the bytes before the rows, so that an interrupted purge is continued by the next one. */
async function purgeFiles(
  { storage }: Pick<FilesContext, 'storage'>,
  { tenantId, inTenant }: Pick<JobContext, 'tenantId' | 'inTenant'>,
  files: readonly PurgedFile[],
): Promise<void> {
  if (!files.length) return
  const thumbnailIds = files.flatMap(({ thumbnail_file_id }) => thumbnail_file_id ?? [])
  for (const { id, storage_area } of files) await storage.delete(storageKey(tenantId, storage_area, id))
  for (const id of thumbnailIds) await storage.delete(storageKey(tenantId, 'files', id))
  await inTenant((tx) => deleteFileRows(tx, [...files.map(({ id }) => id), ...thumbnailIds]))
}
