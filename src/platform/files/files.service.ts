import { recordAudit, recordAuditEntries } from '#platform/audit'
import { type Clock, daysLater } from '#platform/clock'
import { actorOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { enqueue, enqueueAll } from '#platform/jobs'
import { requestPreviews } from './derive/request-previews.ts'
import {
  type Deletion,
  expireDeletedFiles,
  type FileRow,
  insertFile,
  markFilesDeleted,
  type NewFile,
  unmarkFileDeleted,
} from './files.queries.ts'
import { purgeFileJob } from './purge-files.jobs.ts'
import { type FilesContext, getPurpose } from './purposes.ts'
import { scanFileJob } from './scan/scan-file.jobs.ts'

const defaultRetentionDays = 30

type ReceivedFile = Omit<NewFile, 'scan_status' | 'scan_engine' | 'uploaded_by' | 'preview_state'>

export async function createFile(
  tx: TenantTx,
  { scanner, purposes }: Pick<FilesContext, 'scanner' | 'purposes'>,
  received: ReceivedFile,
): Promise<FileRow> {
  const { userId } = actorOf(tx)
  const { hasPreviews, isAudited } = getPurpose(purposes, received.purpose)
  const file = await insertFile(tx, {
    ...received,
    uploaded_by: userId,
    scan_status: scanner ? 'pending' : 'skipped',
    scan_engine: scanner?.engine ?? 'none',
    preview_state: hasPreviews ? 'pending' : 'unavailable',
  })
  const { filename, media_type, size_bytes, purpose } = file
  const after = { media_type, size_bytes, purpose }
  if (isAudited !== false) await recordAudit(tx, 'file.created', { id: file.id, label: filename, after })
  if (scanner) await enqueue(tx, scanFileJob, { file_id: file.id })
  else if (file.preview_state === 'pending') await requestPreviews(tx, file.id)
  return file
}

export async function deleteFile(tx: TenantTx, { clock }: { clock: Clock }, id: string): Promise<void> {
  const now = clock.now()
  const deletion = { deleted_at: now, delete_after: daysLater(now, defaultRetentionDays) }
  const [file] = await markDeletedWithThumbnails(tx, [id], deletion)
  if (!file) throw notFound('file')
  await recordAudit(tx, 'file.deleted', { id, label: file.filename })
}

/** Marks the thumbnails afterwards, so that those are found that a concurrent preview has added. */
async function markDeletedWithThumbnails(tx: TenantTx, ids: readonly string[], deletion: Deletion): Promise<FileRow[]> {
  const files = await markFilesDeleted(tx, ids, deletion)
  const thumbnailIds = files.flatMap(({ thumbnail_file_id }) => thumbnail_file_id ?? [])
  if (thumbnailIds.length) await markFilesDeleted(tx, thumbnailIds, deletion)
  return files
}

/** Skips files that are deleted already, and returns the number of the others. They are purged after the retention. */
export async function deleteFiles(
  tx: TenantTx,
  { clock }: { clock: Clock },
  ids: readonly string[],
  { retentionDays = defaultRetentionDays, isAudited = true } = {},
): Promise<number> {
  if (!ids.length) return 0
  const now = clock.now()
  const deletion = { deleted_at: now, delete_after: daysLater(now, retentionDays) }
  const files = await markDeletedWithThumbnails(tx, ids, deletion)
  const audited = isAudited ? files : []
  await recordAuditEntries(
    tx,
    'file.deleted',
    audited.map(({ id, filename }) => ({ id, label: filename })),
  )
  return files.length
}

/** Deletes files that must not be kept for the retention. A job purges them, with their thumbnails, after the commit. */
export async function deleteFilesNow(
  tx: TenantTx,
  { clock }: { clock: Clock },
  ids: readonly string[],
  { isAudited = true } = {},
): Promise<number> {
  if (!ids.length) return 0
  const deleted = await deleteFiles(tx, { clock }, ids, { retentionDays: 0, isAudited })
  await expireDeletedFiles(tx, ids, clock.now())
  await enqueueAll(
    tx,
    purgeFileJob,
    ids.map((id) => ({ payload: { file_id: id } })),
  )
  return deleted
}

export async function restoreFile(tx: TenantTx, { clock }: { clock: Clock }, id: string): Promise<FileRow> {
  const now = clock.now()
  const file = await unmarkFileDeleted(tx, id, now)
  if (!file) throw notFound('file')
  if (file.thumbnail_file_id) await unmarkFileDeleted(tx, file.thumbnail_file_id, now)
  await recordAudit(tx, 'file.restored', { id, label: file.filename })
  // Jobs that ran while the file was deleted did nothing.
  if (file.scan_status === 'pending') await enqueue(tx, scanFileJob, { file_id: id })
  else if (file.preview_state === 'pending') await requestPreviews(tx, id)
  return file
}
