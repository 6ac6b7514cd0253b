import { actorOf, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { findFiles } from '#platform/files'
import { newId } from '#platform/ids'
import { isBot } from '#platform/text'
import { listItemsByIds } from '../content/content.queries.ts'
import { thumbnailName } from '../content/present-content.service.ts'
import { findVersion, findVersionByNumber, listVersionsOfFile, type VersionRow } from '../content/versions.queries.ts'
import { insertView, markViewDownloaded } from '../views/views.queries.ts'
import { viewClosesBefore } from '../views/views.rules.ts'
import { isReady } from './files.rules.ts'

type NamedFile = { itemId: string; filename: string; versionNo?: number }

/** Returns the id of a file by its exact name, or of the thumbnail. Whether the caller may read it is decided by its purpose. */
async function findNamedFile(tx: TenantTx, { itemId, filename, versionNo }: NamedFile) {
  const [item] = await listItemsByIds(tx, [itemId])
  const version = item && (await findRequestedVersion(tx, item, versionNo))
  const file = version?.file_id ? (await findFiles(tx, [version.file_id])).get(version.file_id) : undefined
  if (!item || !version || version.removed_at || !file) throw notFound('file')
  if (filename === thumbnailName && file.thumbnail_file_id)
    return { item, version, file, fileId: file.thumbnail_file_id }
  if (filename !== file.filename) throw notFound('file')
  return { item, version, file, fileId: file.id }
}

const findRequestedVersion = async (
  tx: TenantTx,
  item: { id: string; current_version_id: string | null },
  versionNo: number | undefined,
): Promise<VersionRow | undefined> => {
  if (versionNo) return await findVersionByNumber(tx, item.id, versionNo)
  return item.current_version_id ? await findVersion(tx, item.current_version_id) : undefined
}

export async function findContentFile(
  tx: TenantTx,
  named: NamedFile,
  { isDownload, now }: { isDownload: boolean; now: Date },
): Promise<string> {
  const { item, version, fileId } = await findNamedFile(tx, named)
  const { type, userId } = actorOf(tx)
  if (isDownload && type === 'user')
    await markViewDownloaded(
      tx,
      { itemId: item.id, versionNo: version.version_no, userId: userId!, after: viewClosesBefore(now) },
      now,
    )
  return fileId
}

type PublicRequest = { ticketFileId: string | undefined; isCounted: boolean; userAgent: string | undefined; now: Date }

/** Without a ticket, everything but the current file of public, published content is not found. */
export async function findPublicContentFile(
  tx: TenantTx,
  named: NamedFile,
  { ticketFileId, isCounted, userAgent, now }: PublicRequest,
): Promise<string> {
  const versionNo = ticketFileId && (await findVersionNo(tx, named.itemId, ticketFileId))
  const { item, version, file, fileId } = await findNamedFile(tx, { ...named, ...(versionNo && { versionNo }) })
  if (ticketFileId) return fileId
  if (item.visibility !== 'public' || item.status !== 'published' || !isReady(file)) throw notFound('file')
  if (isCounted && fileId === file.id)
    await insertView(tx, {
      id: newId(),
      item_id: item.id,
      version_no: version.version_no,
      source: 'public',
      started_at: now,
      last_event_at: now,
      is_internal: false,
      is_bot: isBot(userAgent),
    })
  return fileId
}

/** A room can show an older version than the current one. */
async function findVersionNo(tx: TenantTx, itemId: string, fileId: string): Promise<number | undefined> {
  const versions = await listVersionsOfFile(tx, fileId)
  return versions.find(({ item_id, removed_at }) => item_id === itemId && removed_at === null)?.version_no
}
