import { recordAudit } from '#platform/audit'
import { actorOf, type TenantTx } from '#platform/db'
import { AppError, assertVersion, conflict, notFound } from '#platform/errors'
import { deleteFiles, type FileRow, findFiles, restoreFile } from '#platform/files'
import { newId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { isPublishableWithoutFile } from '../content/change-status.service.ts'
import {
  type ContentRow,
  getItem,
  getVisibleItem,
  lockItem,
  lockItemIfExists,
  updateItemRow,
} from '../content/content.queries.ts'
import { assertCanEdit, canSee } from '../content/content.rules.ts'
import { findCurrentFile } from '../content/current-file.service.ts'
import { type ContentContext, presentItem, toContentFile } from '../content/present-content.service.ts'
import { indexItem } from '../content/update-content.service.ts'
import {
  findVersionByNumber,
  insertVersion,
  listVersionsOfFile,
  listVersionsOfItem,
  markVersionRemoved,
  type VersionRow,
} from '../content/versions.queries.ts'
import { readViewer } from '../content/viewer.service.ts'
import { contentFileRemoved, contentVersionAdded } from '../library.events.ts'
import { acceptedMediaTypes, isReady } from './files.rules.ts'
import type { ContentVersion, UploadedVersion } from './files.schemas.ts'

/** Runs before a byte of the file is read. */
export async function assertMayUpload(tx: TenantTx, itemId: string): Promise<void> {
  const viewer = await readViewer(tx)
  const item = await getVisibleItem(tx, itemId, viewer)
  assertCanEdit(item, viewer)
  assertTakesFiles(item)
}

function assertTakesFiles({ type }: { type: string }): void {
  if (type === 'link') throw conflict('conflict', 'A link has no file. Change its `type` first.')
}

type NewVersion = { itemId: string; file: FileRow; note: string | null; expectedVersion?: number }

export async function addContentVersion(
  tx: TenantTx,
  context: ContentContext,
  { itemId, file, note, expectedVersion }: NewVersion,
): Promise<UploadedVersion> {
  const item = await lockEditableItem(tx, itemId)
  assertVersion(item, expectedVersion)
  assertTakesFiles(item)
  assertFileFits(item, file)
  const current = await findCurrentFile(tx, item)
  if (current?.file.sha256.equals(file.sha256)) {
    await deleteFiles(tx, context, [file.id])
    return await toUploadedVersion(tx, context, itemId, { ...current, isUnchanged: true })
  }
  const version = await insertCurrentVersion(tx, item, file, note)
  return await toUploadedVersion(tx, context, itemId, { version, file, isUnchanged: false })
}

/** Adds a version with the file of an older one, also of a removed one while its file exists. */
export async function restoreContentVersion(
  tx: TenantTx,
  context: ContentContext,
  itemId: string,
  { versionNo, expectedVersion }: { versionNo: number; expectedVersion?: number },
): Promise<UploadedVersion> {
  const item = await lockEditableItem(tx, itemId)
  assertVersion(item, expectedVersion)
  assertTakesFiles(item)
  const restored = await findVersionByNumber(tx, itemId, versionNo)
  if (!restored?.file_id) throw notFound('version')
  if (restored.id === item.current_version_id) throw conflict('conflict', 'This version is the current one already.')
  const file =
    (await findFiles(tx, [restored.file_id])).get(restored.file_id) ??
    (await restoreFile(tx, context, restored.file_id))
  assertFileFits(item, file)
  const version = await insertCurrentVersion(tx, item, file, `Version ${versionNo}`)
  return await toUploadedVersion(tx, context, itemId, { version, file, isUnchanged: false })
}

async function lockEditableItem(tx: TenantTx, itemId: string): Promise<ContentRow> {
  const viewer = await readViewer(tx)
  const item = await lockItem(tx, itemId)
  if (!canSee(item, viewer)) throw notFound('content item')
  assertCanEdit(item, viewer)
  return item
}

function assertFileFits({ type }: ContentRow, { media_type }: FileRow): void {
  const accepted = acceptedMediaTypes(type)
  if (!accepted.some((prefix) => media_type.startsWith(prefix)))
    throw new AppError(415, 'unsupported_media_type', '`file` must have a type that fits the `type` of the item.', {
      extra: { detected: media_type, accepted },
    })
}

/** A published item keeps its version until the scan of the new file has ended. */
async function insertCurrentVersion(tx: TenantTx, item: ContentRow, file: FileRow, note: string | null) {
  const { userId } = actorOf(tx)
  const version = await insertVersion(tx, {
    id: newId(),
    item_id: item.id,
    file_id: file.id,
    note,
    uploaded_by: userId,
  })
  const isCurrent = item.status !== 'published' || isReady(file)
  const changed = isCurrent ? await setCurrentVersion(tx, item, version.id) : item
  const after = { version_no: version.version_no, filename: file.filename }
  await recordAudit(tx, 'content.version_added', { id: item.id, label: item.title, after })
  await emit(tx, contentVersionAdded, changed, { version_no: version.version_no, is_current: isCurrent })
  return version
}

async function setCurrentVersion(tx: TenantTx, item: ContentRow, versionId: string | null): Promise<ContentRow> {
  const changed = await updateItemRow(tx, item.id, { current_version_id: versionId })
  await indexItem(tx, changed)
  return changed
}

/** Makes the version of a scanned file the current one, unless a newer one is. */
export async function onFileReady(tx: TenantTx, file: FileRow): Promise<void> {
  const [version] = await listVersionsOfFile(tx, file.id)
  if (!version || version.removed_at) return
  const item = await lockItemIfExists(tx, version.item_id)
  if (!item) return
  const current = await findCurrentFile(tx, item)
  if (item.current_version_id === version.id || (current && current.version.version_no > version.version_no)) return
  await setCurrentVersion(tx, item, version.id)
  const after = { current_version_no: version.version_no }
  await recordAudit(tx, 'content.updated', { id: item.id, label: item.title, after })
}

/** Adds the text of a file to the search, if the file is the current one. */
export async function indexFileText(tx: TenantTx, file: FileRow): Promise<void> {
  const [version] = await listVersionsOfFile(tx, file.id)
  const item = version && (await lockItemIfExists(tx, version.item_id))
  if (item && item.current_version_id === version.id) await indexItem(tx, item)
}

export async function removeContentFile(tx: TenantTx, context: ContentContext, itemId: string): Promise<void> {
  const item = await lockEditableItem(tx, itemId)
  const current = await findCurrentFile(tx, item)
  if (!current) throw notFound('file')
  if (item.status === 'published' && !isPublishableWithoutFile(item))
    throw conflict('published_needs_file', 'A published item cannot lose its only content. Unpublish it first.')
  const { version, file } = current
  await markVersionRemoved(tx, version.id, context.clock.now())
  const others = (await listVersionsOfFile(tx, file.id)).filter(
    ({ id, removed_at }) => id !== version.id && !removed_at,
  )
  if (!others.length) await deleteFiles(tx, context, [file.id])
  const changed = await setCurrentVersion(tx, item, null)
  const before = { version_no: version.version_no, filename: file.filename }
  await recordAudit(tx, 'content.file_removed', { id: itemId, label: item.title, before })
  await emit(tx, contentFileRemoved, changed, { version_no: version.version_no })
}

export async function listContentVersions(tx: TenantTx, context: ContentContext, itemId: string) {
  const item = await getVisibleItem(tx, itemId, await readViewer(tx))
  const versions = await listVersionsOfItem(tx, itemId)
  const files = await findFiles(
    tx,
    versions.flatMap(({ file_id }) => file_id ?? []),
  )
  const items = versions.map((version) =>
    toContentVersion(tx, context, item, version, version.file_id ? files.get(version.file_id) : undefined),
  )
  return { items, total: items.length }
}

function toContentVersion(
  tx: TenantTx,
  context: ContentContext,
  item: Pick<ContentRow, 'id' | 'current_version_id'>,
  { id, version_no, note, removed_at, uploaded_by, created_at }: VersionRow,
  file: FileRow | undefined,
): ContentVersion {
  return {
    id,
    version_no,
    note,
    removed_at,
    uploaded_by,
    created_at,
    is_current: item.current_version_id === id,
    file: file ? toContentFile(tx, context, item.id, { file, versionNo: version_no }) : null,
  }
}

type VersionResult = { version: VersionRow; file: FileRow; isUnchanged: boolean }

async function toUploadedVersion(
  tx: TenantTx,
  context: ContentContext,
  itemId: string,
  { version, file, isUnchanged }: VersionResult,
): Promise<UploadedVersion> {
  const row = await getItem(tx, itemId)
  const item = await presentItem(tx, context, row)
  return { ...toContentVersion(tx, context, row, version, file), item, unchanged: isUnchanged }
}
