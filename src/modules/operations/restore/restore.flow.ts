import type { Readable } from 'node:stream'
import { raiseStatementTimeout, type SystemTx, type TenantTx } from '#platform/db'
import { AppError, conflict } from '#platform/errors'
import { unparkJobs } from '#platform/jobs'
import type { Services } from '#platform/module'
import { BlobNotFoundError, storageKey } from '#platform/storage'
import type { TaskContext } from '#platform/tasks'
import type { Manifest } from '../archives/archive-manifest.ts'
import { ArchiveError, verifyArchive } from '../archives/read-archive.ts'
import { findSealedReader } from '../archives/sealed-entries.ts'
import { openValues } from '../archives/sealed-values.ts'
import { getArchivedBackup } from '../backups/backups.service.ts'
import { createPastPartitions, importFiles } from '../backups/import-archive.flow.ts'
import { abandonRestore, finishRestore, insertBackup, type RestoreResult } from './restore.service.ts'

const statementSeconds = 600

type InsertedBackup = Awaited<ReturnType<typeof insertBackup>>

/** `inserted` is set with the rows, `result` with the end of the maintenance. */
export type RestoreProgress = { inserted: InsertedBackup; created_at: string; result?: RestoreResult }
type RestoreTask = TaskContext<RestoreProgress>

/** Writes the files, then all rows in one transaction. After a crash before its end it starts again. */
export async function runRestore(services: Services, task: RestoreTask, backupId: string): Promise<RestoreResult> {
  try {
    const progress = task.checkpoint.value ?? (await restoreArchive(services, task, backupId))
    const result = progress.result ?? (await endRestore(services, task, progress))
    const rows = Object.values(result.tables).reduce((total, count) => total + count, 0)
    task.reportProgress(rows, rows)
    await resumeJobs(services, task)
    return result
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      await task.inTenant(abandonRestore)
      await resumeJobs(services, task)
    }
    throw error
  }
}

function endRestore(services: Services, task: RestoreTask, progress: RestoreProgress): Promise<RestoreResult> {
  return task.inTenant(async (tx) => {
    const { inserted, created_at } = progress
    const result = await finishRestore(tx, { inserted, createdAt: new Date(created_at) }, services)
    await task.checkpoint.save(tx, { ...progress, result })
    return result
  })
}

async function restoreArchive(services: Services, task: RestoreTask, backupId: string): Promise<RestoreProgress> {
  const { storage, secrets } = services
  const { tenantId, signal } = task
  const open = async () => (await storage.get(storageKey(tenantId, 'backups', backupId))).stream
  const manifest = await verifyBackup(task, backupId, open)
  const total = manifest.tables.reduce((sum, { rows }) => sum + rows, 0)
  const inSystem = <T>(work: (tx: SystemTx) => Promise<T>) =>
    task.inTenantAsSystem((tx) => work(tx as TenantTx & SystemTx))
  await createPastPartitions({ inSystem, signal }, { open, manifest })
  const readSealed = findSealedReader({ open, manifest, secrets })
  const fileIds = await importFiles(storage, { open, manifest, readSealed, tenantId, signal })
  return await task.inTenant(async (tx) => {
    await raiseStatementTimeout(tx, statementSeconds)
    let done = 0
    const onRows = (count: number) => {
      signal.throwIfAborted()
      done += count
      task.reportProgress(done, total)
    }
    const openSealed = (table: string, line: string) => openValues({ secrets, tenantId, table }, line)
    const source = { open, manifest, backupId, fileIds, openSealed, readSealed, onRows }
    const progress = { inserted: await insertBackup(tx, source, services), created_at: manifest.created_at }
    await task.checkpoint.save(tx, progress)
    return progress
  })
}

async function verifyBackup(task: RestoreTask, backupId: string, open: () => Promise<Readable>): Promise<Manifest> {
  const backup = await task.inTenant((tx) => getArchivedBackup(tx, backupId))
  try {
    const { manifest, sha256 } = await verifyArchive(await open())
    if (backup.sha256 && sha256.equals(backup.sha256)) return manifest
    throw new ArchiveError('The archive differs from the one that was written.')
  } catch (error) {
    if (error instanceof BlobNotFoundError)
      throw conflict('conflict', 'The archive is not in the file store. Nothing was restored.')
    if (error instanceof ArchiveError) throw conflict('conflict', `${error.message} Nothing was restored.`)
    throw error
  }
}

async function resumeJobs({ jobQueue, log }: Services, { tenantId }: RestoreTask): Promise<void> {
  await unparkJobs(jobQueue, tenantId).catch((err) => log.warn({ err, tenant_id: tenantId }, 'jobs remain parked'))
}
