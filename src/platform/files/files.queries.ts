import { type Selectable, sql } from 'kysely'
import type { Database, SystemTx, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

const columns = [
  'id',
  'purpose',
  'storage_area',
  'filename',
  'media_type',
  'size_bytes',
  'sha256',
  'scan_status',
  'scan_engine',
  'scan_signature',
  'uploaded_by',
  'preview_state',
  'page_count',
  'duration_seconds',
  'width',
  'height',
  'thumbnail_file_id',
  'missing_at',
  'deleted_at',
  'created_at',
] as const

export type FileRow = Pick<Selectable<Database['platform.files']>, (typeof columns)[number]>

export type NewFile = Pick<
  FileRow,
  'id' | 'purpose' | 'filename' | 'media_type' | 'size_bytes' | 'sha256' | 'scan_status' | 'scan_engine' | 'uploaded_by'
> & { declared_type: string | null; preview_state?: string; delete_after?: Date }

export function insertFile(tx: TenantTx, file: NewFile): Promise<FileRow> {
  return tx.insertInto('platform.files').values(file).returning(columns).executeTakeFirstOrThrow()
}

export async function getUsedBytes(tx: TenantTx): Promise<number> {
  const usage = await tx.selectFrom('platform.file_usage').select('bytes').executeTakeFirst()
  return usage?.bytes ?? 0
}

export async function readFileStats(tx: TenantTx): Promise<{ files: number; bytes: number }> {
  const { files } = await tx
    .selectFrom('platform.files')
    .select((eb) => eb.fn.countAll<number>().as('files'))
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { files: Number(files), bytes: Number(await getUsedBytes(tx)) }
}

export function findFile(tx: TenantTx, id: string): Promise<FileRow | undefined> {
  return tx
    .selectFrom('platform.files')
    .select(columns)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function findFiles(tx: TenantTx, ids: readonly string[]): Promise<Map<string, FileRow>> {
  if (!ids.length) return new Map()
  const files = await tx
    .selectFrom('platform.files')
    .select(columns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Map(files.map((file) => [file.id, file]))
}

type Preview = {
  preview_state: string
  page_count?: number | null
  thumbnail_file_id?: string | null
  width?: number | null
  height?: number | null
  duration_seconds?: number | null
}

/** Returns false if the file is deleted. */
export async function updatePreview(tx: TenantTx, id: string, preview: Preview): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('platform.files')
    .set(preview)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function updateExtractedText(tx: TenantTx, id: string, text: string): Promise<void> {
  await tx.updateTable('platform.files').set({ extracted_text: text }).where('id', '=', id).execute()
}

export async function findFileByThumbnail(tx: TenantTx, thumbnailId: string): Promise<FileRow | undefined> {
  return await tx
    .selectFrom('platform.files')
    .select(columns)
    .where('thumbnail_file_id', '=', thumbnailId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function findExtractedText(tx: TenantTx, id: string): Promise<string | null> {
  const file = await tx.selectFrom('platform.files').select('extracted_text').where('id', '=', id).executeTakeFirst()
  return file?.extracted_text ?? null
}

export async function getFile(tx: TenantTx, id: string): Promise<FileRow> {
  const file = await findFile(tx, id)
  if (!file) throw notFound('file')
  return file
}

export type Deletion = { deleted_at: Date; delete_after: Date }

export function markFilesDeleted(tx: TenantTx, ids: readonly string[], deletion: Deletion): Promise<FileRow[]> {
  return tx
    .updateTable('platform.files')
    .set(deletion)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .returning(columns)
    .execute()
}

/** Ends the retention of files that are deleted already. */
export async function expireDeletedFiles(tx: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('platform.files')
    .set({ delete_after: now })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('delete_after', '>', now)
    .execute()
}

export function unmarkFileDeleted(tx: TenantTx, id: string, now: Date): Promise<FileRow | undefined> {
  return tx
    .updateTable('platform.files')
    .set({ deleted_at: null, delete_after: null })
    .where('id', '=', id)
    .where('delete_after', '>', now)
    .returning(columns)
    .executeTakeFirst()
}

type ScanOutcome = {
  scan_status: 'clean' | 'infected' | 'failed' | 'skipped'
  scanned_at: Date
  scan_signature?: string
  storage_area?: 'quarantine'
}

export function updateScanOutcome(tx: TenantTx, id: string, outcome: ScanOutcome): Promise<FileRow | undefined> {
  return tx
    .updateTable('platform.files')
    .set(outcome)
    .where('id', '=', id)
    .where('scan_status', '=', 'pending')
    .returning(columns)
    .executeTakeFirst()
}

export async function listTenantsWithFilesToPurge(tx: SystemTx, now: Date): Promise<string[]> {
  const tenants = await tx
    .selectFrom('platform.files')
    .select('tenant_id')
    .distinct()
    .where('delete_after', '<=', now)
    .execute()
  return tenants.map(({ tenant_id }) => tenant_id)
}

const purgeColumns = ['id', 'storage_area', 'thumbnail_file_id'] as const

export type PurgedFile = Pick<FileRow, (typeof purgeColumns)[number]>

export function listFilesToPurge(tx: TenantTx, now: Date, limit: number): Promise<PurgedFile[]> {
  return tx
    .selectFrom('platform.files')
    .select(purgeColumns)
    .where('delete_after', '<=', now)
    .orderBy('delete_after')
    .limit(limit)
    .execute()
}

export function listDeletedFiles(tx: TenantTx, ids: readonly string[]): Promise<PurgedFile[]> {
  return tx
    .selectFrom('platform.files')
    .select(purgeColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is not', null)
    .execute()
}

export function listFilesToClean(tx: TenantTx, keptPurposes: readonly string[], limit: number) {
  return tx
    .selectFrom('platform.files')
    .select(['id', 'storage_area'])
    .where('purpose', '<>', sql<string>`all(${keptPurposes}::text[])`)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function deleteFileRows(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('platform.files').where('id', '=', sql<string>`any(${ids}::uuid[])`).execute()
}

export async function findFileAreas(tx: TenantTx, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await tx
    .selectFrom('platform.files')
    .select(['id', 'storage_area'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map(({ id, storage_area }) => [id, storage_area]))
}

type FilePage = { after: string; limit: number; createdBefore?: Date }

export function listFilesAfter(tx: TenantTx, { after, limit, createdBefore }: FilePage) {
  return tx
    .selectFrom('platform.files')
    .select(['id', 'storage_area', 'missing_at', 'size_bytes', 'sha256'])
    .where('id', '>', after)
    .$if(createdBefore !== undefined, (files) => files.where('created_at', '<', createdBefore!))
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .execute()
}

export async function updateMissingAt(tx: TenantTx, ids: readonly string[], missingAt: Date | null): Promise<void> {
  await tx
    .updateTable('platform.files')
    .set({ missing_at: missingAt })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export async function listFileIds(tx: TenantTx): Promise<string[]> {
  const files = await tx.selectFrom('platform.files').select('id').orderBy('id').execute()
  return files.map(({ id }) => id)
}

/** Returns the number of files that were not marked before. */
export async function markFilesMissing(tx: TenantTx, storedIds: readonly string[], missingAt: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('platform.files')
    .set({ missing_at: missingAt })
    .where('missing_at', 'is', null)
    .where('id', '<>', sql<string>`all(${storedIds}::uuid[])`)
    .executeTakeFirst()
  return Number(numUpdatedRows)
}
