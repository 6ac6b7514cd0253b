import type { FileRow } from '#platform/files'
import type { ItemProgress } from '../visit-records/item-progress.queries.ts'
import type { FileUrls } from './visitor-files.rules.ts'
import type { PublicRoomItem, PublicStep } from './visits.schemas.ts'

type ShownItem = {
  row: {
    id: string
    section_id: string | null
    kind: string
    title: string | null
    description: string | null
    url: string | null
    body: string | null
  }
  content: { title: string; description: string | null; url: string | null; body: string | null } | undefined
  file: FileRow | undefined
}

/** Names every field that visitors see. Without URLs, nothing of a file can be loaded. */
export function toPublicItem({ row, content, file }: ShownItem, urls: FileUrls | undefined): PublicRoomItem {
  return {
    id: row.id,
    section_id: row.section_id,
    kind: row.kind as PublicRoomItem['kind'],
    title: row.title ?? content?.title ?? '',
    description: row.description ?? content?.description ?? null,
    body: row.body ?? (file ? null : (content?.body ?? null)),
    link_url: row.url ?? (file ? null : (content?.url ?? null)),
    media_type: file?.media_type ?? null,
    size_bytes: file?.size_bytes ?? null,
    page_count: file?.page_count ?? null,
    duration_seconds: file && file.duration_seconds !== null ? Number(file.duration_seconds) : null,
    thumbnail_url: urls?.thumbnail_url ?? null,
    url: urls?.url ?? null,
    download_url: urls?.download_url ?? null,
  }
}

/** Pages that were read in different visits count together. */
export function toItemVisitor(seen: ItemProgress | undefined, pageCount: number | null): PublicRoomItem['visitor'] {
  if (!seen) return null
  const readRate = pageCount ? Math.min(1, seen.pages.length / pageCount) : 0
  return { progress: Math.max(seen.progress, readRate), page: seen.page, seen_at: seen.seen_at }
}

type StepFields = Omit<PublicStep, 'side' | 'status'> & { side: string; status: string }

export const toPublicStep = (step: StepFields): PublicStep => ({
  id: step.id,
  title: step.title,
  description: step.description,
  side: step.side as PublicStep['side'],
  assignee_name: step.assignee_name,
  due_on: step.due_on,
  status: step.status as PublicStep['status'],
})
