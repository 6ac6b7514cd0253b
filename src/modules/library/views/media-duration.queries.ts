import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Seconds of the media file that a view shows; null for other content, and for media that could not be measured. */
export const durationOfView = sql<number | null>`(
  select file.duration_seconds::float8 from enablement.content_versions version
  join platform.files file on file.id = version.file_id
  where version.item_id = content_views.item_id and version.version_no = content_views.version_no)`

export async function listMediaDurations(tx: TenantTx, itemIds: readonly string[]): Promise<Map<string, number>> {
  if (!itemIds.length) return new Map()
  const { rows } = await sql<{ id: string; seconds: number }>`
    select item.id, file.duration_seconds::float8 as seconds from enablement.content_items item
    join enablement.content_versions version on version.id = item.current_version_id
    join platform.files file on file.id = version.file_id
    where item.id = any (${itemIds}::uuid[]) and file.duration_seconds is not null
  `.execute(tx)
  return new Map(rows.map(({ id, seconds }) => [id, seconds]))
}
