import { getTenant } from '#modules/identity'
import { systemActor } from '#platform/access'
import { inSnapshot, type SnapshotTx, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { listFilesAfter } from '#platform/files'
import { nilUuid } from '#platform/ids'
import { listSealedFileIds, type Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { BlobNotFoundError, storageKey } from '#platform/storage'
import type { TaskContext } from '#platform/tasks'
import { type Manifest, rowCountsOf } from '../archives/archive-manifest.ts'
import { verifyArchive } from '../archives/read-archive.ts'
import { backupFailed, backupSucceeded } from '../operations.events.ts'
import { type BackupRow, markBackupFailed, markBackupSucceeded, startBackupRow } from './backups.queries.ts'
import { expireOldBackups } from './backups.service.ts'
import { deleteArchives } from './delete-archives.ts'
import { type ArchivedFile, writeArchive } from './write-archive.ts'

export type BackupServices = Pick<Services, 'db' | 'storage' | 'clock' | 'registry' | 'log' | 'secrets'>
type BackupResult = { size_bytes: number; row_counts: Record<string, number> }

type BackupJob = Pick<TaskContext, 'tenantId' | 'inTenant' | 'signal' | 'isLastAttempt'>

/** Writes and verifies an archive. A failed attempt leaves nothing in the file store; the last one fails the backup. */
export async function runBackup(
  services: BackupServices,
  job: BackupJob,
  backupId: string,
  onRows?: (count: number) => void,
): Promise<BackupResult | undefined> {
  const { clock, storage, log } = services
  const { tenantId, inTenant, signal, isLastAttempt } = job
  const backup = await inTenant((tx) => startBackupRow(tx, backupId, clock.now()))
  if (!backup) return undefined
  const key = storageKey(tenantId, 'backups', backupId)
  try {
    const archive = await createArchive(services, job, { backup, key, onRows })
    const expired = await inTenant((tx) => finishBackup(tx, backup, archive, clock.now()))
    await deleteArchives(services, tenantId, expired)
    return { size_bytes: archive.size_bytes, row_counts: archive.row_counts }
  } catch (err) {
    if (signal.aborted) throw err
    await storage.delete(key).catch(() => {})
    const details = { err, tenant_id: tenantId, backup_id: backupId }
    if (!isLastAttempt) {
      log.warn(details, 'an attempt of a backup failed')
      throw new Error('The archive could not be written or verified.', { cause: err })
    }
    log.error(details, 'a backup failed')
    await inTenant((tx) => failBackup(tx, backup, clock.now()))
    throw conflict(
      'conflict',
      'The backup could not be written. Try again later, or ask the operator to check the file store.',
    )
  }
}

type ArchiveTarget = { backup: BackupRow; key: string; onRows?: (count: number) => void }

async function createArchive(
  { db, storage, clock, registry, secrets }: BackupServices,
  { tenantId, inTenant, signal }: BackupJob,
  { backup, key, onRows }: ArchiveTarget,
) {
  const { slug, name } = await inTenant(getTenant)
  const now = clock.now()
  const { blob } = await writeArchive(storage, key, {
    tenantId,
    tables: registry.tables,
    secrets,
    workspace: { slug, name },
    now,
    onRows,
    inSnapshot: (work) => inSnapshot(db, systemActor(tenantId), work, { signal }),
    ...(backup.include_files && {
      listFiles: (tx: SnapshotTx) => listFileContents(tx, { storage, tenantId, signal, registry }),
    }),
  })
  const { manifest, sha256 } = await verifyArchive((await storage.get(key)).stream)
  if (!sha256.equals(blob.sha256)) throw new Error('The stored archive differs from the one that was written.')
  return { size_bytes: blob.size, sha256, row_counts: rowCountsOf(manifest), schema_version: manifest.schema_version }
}

type FileSource = Pick<Services, 'storage' | 'registry'> & { tenantId: string; signal: AbortSignal }

async function listFileContents(tx: SnapshotTx, { storage, registry, tenantId, signal }: FileSource) {
  const sealedIds = await listSealedFileIds(tx, registry.tables)
  const contents: ArchivedFile[] = []
  for (let after: string | undefined = nilUuid; after; ) {
    const files = await listFilesAfter(tx, { after, limit: 1_000 })
    for (const { id, storage_area, missing_at, size_bytes, sha256 } of files) {
      if (missing_at) continue
      const open = async () => {
        signal.throwIfAborted()
        const blob = await storage.get(storageKey(tenantId, storage_area, id)).catch((error) => {
          if (!(error instanceof BlobNotFoundError)) throw error
        })
        return blob?.stream
      }
      contents.push({ id, size: size_bytes, sha256: sha256.toString('hex'), isSealed: sealedIds.has(id), open })
    }
    after = files.at(-1)?.id
  }
  return contents
}

type Archive = {
  size_bytes: number
  sha256: Buffer
  row_counts: ReturnType<typeof rowCountsOf>
  schema_version: Manifest['schema_version']
}

async function finishBackup(tx: TenantTx, { id, kind }: BackupRow, archive: Archive, now: Date): Promise<string[]> {
  await markBackupSucceeded(tx, id, archive, now)
  await emit(tx, backupSucceeded, { id }, { id, kind, size_bytes: archive.size_bytes })
  return await expireOldBackups(tx, now)
}

async function failBackup(tx: TenantTx, { id, kind }: BackupRow, now: Date): Promise<void> {
  await markBackupFailed(tx, { id, error: 'The archive could not be written or verified.', now })
  await emit(tx, backupFailed, { id }, { id, kind })
}
