import { type FileRow, isInlineType } from '#platform/files'

const visitTicketSeconds = 4 * 3_600

export function ticketSeconds(linkExpiresAt: Date | null, now: Date): number {
  if (linkExpiresAt === null) return visitTicketSeconds
  return Math.max(0, Math.min(visitTicketSeconds, (linkExpiresAt.getTime() - now.getTime()) / 1_000))
}

type IssueTicket = (fileId: string, disposition: 'inline' | 'attachment') => string
type ShownFile = {
  row: { downloads_allowed: boolean | null; pinned_version_no: number | null }
  content: { id: string } | undefined
  file: FileRow | undefined
  versionNo: number | null
}
export type FileUrls = { url: string | null; download_url: string | null; thumbnail_url: string | null }

export const publicFileUrl = (contentId: string, filename: string): string =>
  `/api/enablement/content/public/${contentId}/files/${encodeURIComponent(filename)}`

export const mayDownload = ({ row }: Pick<ShownFile, 'row'>, isAllowedInRoom: boolean): boolean =>
  row.downloads_allowed ?? isAllowedInRoom

export function fileUrlsOf(item: ShownFile, isDownloadAllowed: boolean, issueTicket: IssueTicket): FileUrls {
  const { content, file } = item
  if (!content || !file) return { url: null, download_url: null, thumbnail_url: null }
  const thumbnailId = file.thumbnail_file_id
  const urlOf = (name: string, fileId: string, disposition: 'inline' | 'attachment') =>
    `${publicFileUrl(content.id, name)}?ticket=${issueTicket(fileId, disposition)}`
  const isDownloadable = mayDownload(item, isDownloadAllowed)
  return {
    url: isDownloadable || isInlineType(file.media_type) ? urlOf(file.filename, file.id, 'inline') : null,
    download_url: isDownloadable ? urlOf(file.filename, file.id, 'attachment') : null,
    thumbnail_url: thumbnailId === null ? null : urlOf('~thumbnail.jpg', thumbnailId, 'inline'),
  }
}
