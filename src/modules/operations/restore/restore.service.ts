import { repeatErasures } from '#modules/crm'
import {
  clearForeignKey,
  deleteTenantRows,
  endOwnMaintenance,
  hasTenantRows,
  listForeignKeys,
  lockOwnTenant,
  planDeletion,
  repeatUserErasures,
  startOwnMaintenance,
} from '#modules/identity'
import { resetAnonymousSurveys } from '#modules/surveys'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { listFileIds, listFilesToClean, markFilesMissing } from '#platform/files'
import type { Registry, Services, Tables } from '#platform/module'
import { emit } from '#platform/outbox'
import { startTask } from '#platform/tasks'
import { getArchivedBackup } from '../backups/backups.service.ts'
import {
  insertArchivedRows,
  insertSealedRows,
  type RowSource,
  stopRestoredSenders,
} from '../backups/import-rows.service.ts'
import { restoreBackupTask } from '../backups/open-backup.ts'
import { tenantDataRestored } from '../operations.events.ts'
import {
  filesTable,
  isRestored,
  listComplementedTables,
  listRecordTables,
  listReplacedTables,
} from './restore.rules.ts'
import type { RestoreInput } from './restore.schemas.ts'
import { restoringReason } from './restoring-reason.ts'

type TableRegistry = Pick<Registry, 'tables' | 'filePurposes'>

/** Starts maintenance and the task in one transaction. The lock of the workspace lets one of several callers succeed. */
export async function restoreBackup(
  tx: TenantTx,
  backupId: string,
  { confirm, reason }: RestoreInput,
  registry: TableRegistry,
) {
  await getArchivedBackup(tx, backupId)
  const tenant = await lockOwnTenant(tx)
  if (confirm !== tenant.slug)
    throw invalid('body', '/confirm', 'mismatch', '`confirm` must be the slug of the workspace.')
  await startOwnMaintenance(tx, tenant, restoringReason)
  await assertNoRecords(tx, registry)
  const after = { backup_id: backupId }
  await recordAudit(tx, 'tenant.restore_started', { id: tenant.id, label: tenant.slug, after, reason })
  const resource = { type: 'backup', id: backupId }
  const started = await startTask(tx, restoreBackupTask, after, {
    title: 'Restore a backup of the workspace',
    resource,
  })
  return { ...started, backup_id: backupId }
}

export const listKeptPurposes = ({ filePurposes }: TableRegistry): string[] =>
  filePurposes.filter(({ clean }) => clean === 'never').map(({ name }) => name)

export async function assertNoRecords(tx: TenantTx, registry: TableRegistry): Promise<void> {
  const used: string[] = []
  for (const table of listRecordTables(registry.tables)) if (await hasTenantRows(tx, table)) used.push(table)
  const files = await listFilesToClean(tx, listKeptPurposes(registry), 1)
  if (files.length) used.push(filesTable)
  if (used.length)
    throw conflict(
      'conflict',
      `The workspace has records in ${used.slice(0, 5).join(', ')}. A backup is only restored into a workspace without records.`,
    )
}

export type RestoreResult = {
  backup_id: string
  tables: Record<string, number>
  skipped: Record<string, number>
  files: number
  missing_files: number
  repeated_erasures: number
}

type RestoreSource = Omit<RowSource, 'tables'> & { backupId: string; fileIds: readonly string[] }

/** Replaces the configuration and inserts all rows in one transaction, so that an interrupted restore leaves nothing. */
export async function insertBackup(
  tx: TenantTx,
  { backupId, fileIds, ...source }: RestoreSource,
  { registry, clock }: Pick<Services, 'registry' | 'clock'>,
): Promise<Omit<RestoreResult, 'repeated_erasures'>> {
  await assertNoRecords(tx, registry)
  await deleteReplacedRows(tx, registry.tables)
  const keptIds = await listFileIds(tx)
  const kept = new Set(listKeptPurposes(registry))
  const rows: RowSource = {
    ...source,
    tables: registry.tables,
    includes: (table) => isRestored(registry.tables, table),
    keptTables: new Set([filesTable, ...listComplementedTables(registry.tables)]),
    accepts: (table, line) => table !== filesTable || !kept.has(JSON.parse(line).purpose),
  }
  const { tables, skipped } = await insertArchivedRows(tx, rows)
  const storedIds = [...fileIds, ...keptIds]
  const missing_files = await markFilesMissing(tx, storedIds, clock.now())
  await insertSealedRows(tx, rows)
  await markFilesMissing(tx, storedIds, clock.now())
  await resetAnonymousSurveys(tx, rows.manifest.schema_version)
  await stopRestoredSenders(tx, clock.now())
  const files = (tables[filesTable] ?? 0) - missing_files
  return { backup_id: backupId, tables, skipped, files, missing_files }
}

/** Begins with the tables that refer to each other, because pipelines are locked before other configuration. */
async function deleteReplacedRows(tx: TenantTx, tables: Tables): Promise<void> {
  const names = listReplacedTables(tables)
  const keys = (await listForeignKeys(tx)).filter(({ from, to }) => names.includes(from) && names.includes(to))
  const linked = names.filter((name) => keys.some(({ from, to }) => from !== to && (from === name || to === name)))
  const others = names.filter((name) => !linked.includes(name))
  for (const group of [linked, others]) {
    const { order, clear } = planDeletion(group, keys)
    for (const key of clear) await clearForeignKey(tx, key, maxRows)
    for (const table of order) await deleteTenantRows(tx, table, maxRows)
  }
}

const maxRows = 2_147_483_647

type Restored = { inserted: Omit<RestoreResult, 'repeated_erasures'>; createdAt: Date }

/** Ends the maintenance, and erases people again who were erased after the backup was created. */
export async function finishRestore(
  tx: TenantTx,
  { inserted, createdAt }: Restored,
  services: Pick<Services, 'clock' | 'secrets'>,
): Promise<RestoreResult> {
  const tenant = await lockOwnTenant(tx)
  await endOwnMaintenance(tx, tenant, restoringReason)
  const { backup_id, tables, files } = inserted
  const rows = Object.values(tables).reduce((total, count) => total + count, 0)
  const { id, slug: label } = tenant
  const people = await repeatErasures(tx, createdAt, services)
  const repeated_erasures = people + (await repeatUserErasures(tx, createdAt))
  await recordAudit(tx, 'tenant.data_restored', { id, label, after: { backup_id, rows, files } })
  await emit(tx, tenantDataRestored, { id }, { backup_id, rows, files })
  return { ...inserted, repeated_erasures }
}

export async function abandonRestore(tx: TenantTx): Promise<void> {
  await endOwnMaintenance(tx, await lockOwnTenant(tx), restoringReason)
}
