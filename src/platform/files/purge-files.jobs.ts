import { defineTenantSchedule } from '#platform/jobs'
import { storageKey } from '#platform/storage'
import type { FilesContext } from './context.ts'
import { deleteFileRows, listFilesToPurge, listTenantsWithFilesToPurge } from './files.queries.ts'

const batchSize = 100

/** Deletes the bytes before the row, so that an interrupted purge is continued by the next one. */
export const purgeFilesSchedule = ({ storage, clock }: Pick<FilesContext, 'storage' | 'clock'>) =>
  defineTenantSchedule('platform.purge_files', '13 3 * * *', {
    listTenants: (tx) => listTenantsWithFilesToPurge(tx, clock.now()),
    async runForTenant({ inTenant, tenantId, signal, log }) {
      const now = clock.now()
      for (let purged = 0; ; ) {
        signal.throwIfAborted()
        const due = await inTenant((tx) => listFilesToPurge(tx, now, batchSize))
        for (const { id, storage_area } of due) await storage.delete(storageKey(tenantId, storage_area, id))
        if (due.length)
          await inTenant((tx) =>
            deleteFileRows(
              tx,
              due.map(({ id }) => id),
            ),
          )
        purged += due.length
        if (due.length === batchSize) continue
        if (purged) log.info({ purged }, 'purged deleted files')
        return
      }
    },
  })
