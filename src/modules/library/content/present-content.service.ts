import { findUserNames } from '#modules/identity'
import type { Clock } from '#platform/clock'
import { actorOf, type TenantTx } from '#platform/db'
import { type FileRow, type Files, findFiles } from '#platform/files'
import type { ContentRow, ContentSummaryRow, PresentedRow } from './content.queries.ts'
import type { ContentFile, ContentItem, ContentSummary } from './content.schemas.ts'
import { freshnessScore, isStale } from './freshness.rules.ts'

/** Without `files`, the representation has no tickets. */
export type ContentContext = { files: Pick<Files, 'tickets'> | null; clock: Clock }

type Related = { names: Map<string, string>; files: Map<string, FileRow>; context: ContentContext; tx: TenantTx }

async function readRelated(tx: TenantTx, context: ContentContext, rows: readonly PresentedRow[]): Promise<Related> {
  const [names, files] = await Promise.all([
    findUserNames(
      tx,
      rows.flatMap(({ owner_id }) => owner_id ?? []),
    ),
    findFiles(
      tx,
      rows.flatMap(({ file_id }) => file_id ?? []),
    ),
  ])
  return { names, files, context, tx }
}

export async function presentSummaries(
  tx: TenantTx,
  context: ContentContext,
  rows: readonly PresentedRow[],
): Promise<ContentSummary[]> {
  if (!rows.length) return []
  const related = await readRelated(tx, context, rows)
  return rows.map((row) => toSummary(row, related))
}

export async function presentItems(
  tx: TenantTx,
  context: ContentContext,
  rows: readonly PresentedRow<ContentRow>[],
): Promise<ContentItem[]> {
  if (!rows.length) return []
  const related = await readRelated(tx, context, rows)
  return rows.map((row) => ({ ...toSummary(row, related), body: row.body }))
}

export async function presentItem(
  tx: TenantTx,
  context: ContentContext,
  row: PresentedRow<ContentRow>,
): Promise<ContentItem> {
  return (await presentItems(tx, context, [row]))[0]!
}

function toSummary(row: PresentedRow, { names, files, context, tx }: Related): ContentSummary {
  const { replacement_title, version_no, file_id, views_28d, unique_viewers, heat, needs_update_at, ...item } = row
  const now = context.clock.now()
  const file = file_id ? files.get(file_id) : undefined
  return {
    ...(item as ContentSummaryRow & Pick<ContentSummary, 'type' | 'status' | 'visibility' | 'archive_reason'>),
    owner: item.owner_id ? { id: item.owner_id, name: names.get(item.owner_id) ?? '' } : null,
    file: file ? toContentFile(tx, context, item.id, { file, versionNo: version_no! }) : null,
    freshness_score: freshnessScore(item, now),
    is_stale: isStale(item, now),
    superseded_by: item.superseded_by_id ? { id: item.superseded_by_id, title: replacement_title ?? '' } : null,
    stats: { views_28d: views_28d ?? 0, unique_viewers: unique_viewers ?? 0, heat: heat ?? 0 },
  }
}

export const thumbnailName = '~thumbnail.jpg'

/** Browsers load images and media without headers, so sessions get tickets. API keys get no ticket, because they can send headers and a ticket is tied to the sessions of its user. */
export function toContentFile(
  tx: TenantTx,
  { files }: ContentContext,
  itemId: string,
  { file, versionNo }: { file: FileRow; versionNo: number },
): ContentFile {
  const { tenantId, userId, sessionId } = actorOf(tx)
  const { filename, media_type, size_bytes, page_count, duration_seconds, width, height, preview_state } = file
  const base = `/api/enablement/content/${itemId}/files`
  const url = `${base}/${encodeURIComponent(filename)}`
  const ticketOf = (fileId: string) =>
    files && sessionId ? `?ticket=${files.tickets.issue({ tenantId, fileId, userId })}` : ''
  const ticket = ticketOf(file.id)
  return {
    filename,
    media_type,
    size_bytes,
    version_no: versionNo,
    page_count,
    width,
    height,
    duration_seconds: duration_seconds === null ? null : Number(duration_seconds),
    scan: { status: file.scan_status as 'clean', engine: file.scan_engine as 'none' },
    preview_state: preview_state as 'ready',
    url,
    stream_url: ticket ? `${url}${ticket}` : null,
    thumbnail_url: file.thumbnail_file_id ? `${base}/${thumbnailName}${ticketOf(file.thumbnail_file_id)}` : null,
  }
}
