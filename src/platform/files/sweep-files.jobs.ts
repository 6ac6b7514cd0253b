import type { SystemTx } from '#platform/db'
import { defineTenantSchedule } from '#platform/jobs'
import { compareBlobs, compareFiles } from './compare-storage.ts'
import { updateMissingAt } from './files.queries.ts'
import type { FilesContext } from './purposes.ts'

type SweepContext = Pick<FilesContext, 'storage' | 'clock'> & { listTenants(tx: SystemTx): Promise<string[]> }

export const sweepFilesSchedule = ({ storage, clock, listTenants }: SweepContext) =>
  defineTenantSchedule('platform.sweep_files', '43 4 * * 0', {
    listTenants,
    async runForTenant(context) {
      const comparison = { ...context, storage, clock }
      const { inTenant, log } = context
      const storedKeys = new Set<string>()
      for await (const { stored, orphans } of compareBlobs(comparison)) {
        for (const key of stored) storedKeys.add(key)
        for (const key of orphans) await storage.delete(key)
        if (orphans.length) log.warn({ deleted: orphans.length }, 'deleted stored bytes without a file')
      }
      for await (const { missing, found } of compareFiles(comparison, storedKeys)) {
        const newIds = missing.filter(({ missing_at }) => !missing_at).map(({ id }) => id)
        if (newIds.length)
          log.error({ file_ids: newIds.slice(0, 20), count: newIds.length }, 'files without stored bytes')
        if (newIds.length) await inTenant((tx) => updateMissingAt(tx, newIds, clock.now()))
        const foundIds = found.map(({ id }) => id)
        if (foundIds.length) await inTenant((tx) => updateMissingAt(tx, foundIds, null))
      }
    },
  })
