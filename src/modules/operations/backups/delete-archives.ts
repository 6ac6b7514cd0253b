import type { Services } from '#platform/module'
import { storageKey } from '#platform/storage'

/** Logs a failure only: an archive that is not deleted here is reported as content without a record. */
export async function deleteArchives(
  { storage, log }: Pick<Services, 'storage' | 'log'>,
  tenantId: string,
  ids: readonly string[],
): Promise<void> {
  for (const id of ids)
    await storage.delete(storageKey(tenantId, 'backups', id)).catch((err) => {
      log.warn({ err, tenant_id: tenantId, backup_id: id }, 'an expired backup could not be deleted')
    })
}
