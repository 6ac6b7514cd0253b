import { endOwnMaintenance, lockOwnTenant, startOwnMaintenance } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { emit } from '#platform/outbox'
import { startTask } from '#platform/tasks'
import { prepareBackup } from '../backups/backups.service.ts'
import { cleanDataTask } from '../backups/open-backup.ts'
import { tenantDataCleaned } from '../operations.events.ts'
import type { CleanDataInput } from './clean-data.schemas.ts'
import { cleaningReason } from './cleaning-reason.ts'

/** Starts maintenance and the task in one transaction. The lock of the workspace lets one of several callers succeed. */
export async function cleanAllData(tx: TenantTx, input: CleanDataInput, now: Date) {
  const { confirm, reason, backup, keep_configuration } = input
  const tenant = await lockOwnTenant(tx)
  if (confirm !== tenant.slug)
    throw invalid('body', '/confirm', 'mismatch', '`confirm` must be the slug of the workspace.')
  await startOwnMaintenance(tx, tenant, cleaningReason)
  const backup_id = backup ? await prepareBackup(tx, { kind: 'pre_clean', include_files: true, now }) : null
  const after = { backup_id, keep_configuration }
  await recordAudit(tx, 'tenant.cleaning_started', { id: tenant.id, label: tenant.slug, after, reason })
  const started = await startTask(
    tx,
    cleanDataTask,
    { backup_id, keep_configuration },
    { title: 'Delete all data of the workspace', ...(backup_id && { resource: { type: 'backup', id: backup_id } }) },
  )
  return { ...started, backup_id }
}

export type CleaningResult = { backup_id: string | null; tables: Record<string, number>; files: number }

export async function finishCleaning(tx: TenantTx, { backup_id, tables, files }: CleaningResult): Promise<void> {
  const tenant = await lockOwnTenant(tx)
  await endOwnMaintenance(tx, tenant, cleaningReason)
  const rows = Object.values(tables).reduce((total, count) => total + count, 0)
  const { id, slug: label } = tenant
  await recordAudit(tx, 'tenant.data_cleaned', { id, label, after: { backup_id, rows, files } })
  await emit(tx, tenantDataCleaned, { id }, { backup_id, rows, files })
}

export async function abandonCleaning(tx: TenantTx): Promise<void> {
  await endOwnMaintenance(tx, await lockOwnTenant(tx), cleaningReason)
}
