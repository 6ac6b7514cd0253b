import { findFileReader, listTeamIdsOfUser } from '#modules/identity'
import { isManagerOrAdmin } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { type FilePurpose, type FileReader, type FileRow, findFileByThumbnail } from '#platform/files'
import type { ExtensionReader } from '#platform/module'
import { listItemsByIds } from '../content/content.queries.ts'
import { type ContentViewer, canSee } from '../content/content.rules.ts'
import { notifyInfectedFile } from '../content/content-notifications.ts'
import { listVersionsOfFile } from '../content/versions.queries.ts'
import { contentReaderPoint, type MayVisitorRead } from './content-reader.ts'
import { indexFileText, onFileReady } from './content-versions.service.ts'

export const contentFilePurpose = (extensionsOf: ExtensionReader): FilePurpose => ({
  name: 'content',
  accepts: ['document', 'image', 'video', 'audio'],
  mayRead: (tx, file, reader) => mayReadContentFile(tx, file, reader, extensionsOf(contentReaderPoint)),
  hasPreviews: true,
  onReady: onFileReady,
  onTextExtracted: indexFileText,
  async onQuarantined(tx, file) {
    const [version] = await listVersionsOfFile(tx, file.id)
    const [item] = version ? await listItemsByIds(tx, [version.item_id]) : []
    if (item) await notifyInfectedFile(tx, item, file)
  },
})

async function mayReadContentFile(
  tx: TenantTx,
  file: FileRow,
  reader: FileReader,
  visitorRules: readonly MayVisitorRead[],
): Promise<boolean> {
  const source = (await findFileByThumbnail(tx, file.id)) ?? file
  const versions = await listVersionsOfFile(tx, source.id)
  const [item] = versions[0] ? await listItemsByIds(tx, [versions[0].item_id]) : []
  if (!item) return false
  const { visitId, isDownload, now } = reader
  if (visitId)
    return await isReadableForVisitor(tx, visitorRules, { visitId, itemId: item.id, fileId: file.id, isDownload, now })
  if (!reader.userId)
    return (
      item.visibility === 'public' &&
      item.status === 'published' &&
      versions.some(({ id }) => id === item.current_version_id)
    )
  const viewer = await readFileViewer(tx, reader.userId, reader.ticketIssuedAt)
  return viewer !== undefined && canSee(item, viewer)
}

async function isReadableForVisitor(
  tx: TenantTx,
  visitorRules: readonly MayVisitorRead[],
  read: Parameters<MayVisitorRead>[1],
): Promise<boolean> {
  for (const mayRead of visitorRules) if (await mayRead(tx, read)) return true
  return false
}

/** A ticket ends with the sessions that existed when it was issued. */
async function readFileViewer(
  tx: TenantTx,
  userId: string,
  ticketIssuedAt: Date | null,
): Promise<ContentViewer | undefined> {
  const user = await findFileReader(tx, userId, ticketIssuedAt)
  if (!user || (ticketIssuedAt && !user.hasSession)) return undefined
  return { userId, isManager: isManagerOrAdmin(user.role), teamIds: await listTeamIdsOfUser(tx, userId) }
}
