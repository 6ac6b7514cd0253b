import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { durationOfView } from '../content-views/media-duration.queries.ts'
import { maxPlaybackRate } from '../content-views/views.rules.ts'

export type ContentTime = { item_id: string; seconds: number; progress: number }

/**
 * Time that a user spent on content items in the library since an instant, as the heartbeats of views tell. Media may be played in
 * several views: their played parts add up for each version. The limit of `limitProgress` is applied again, because media can be
 * measured after a view began.
 */
export async function listContentTimes(
  tx: TenantTx,
  userId: string,
  itemIds: readonly string[],
  since: Date,
): Promise<ContentTime[]> {
  if (!itemIds.length) return []
  const { rows } = await sql<ContentTime>`
    with views as (
      select item_id, version_no, active_seconds, progress, ${durationOfView}::numeric as duration
      from enablement.content_views
      where user_id = ${userId}::uuid and item_id = any (${itemIds}::uuid[]) and source = 'library' and started_at >= ${since}
    ), versions as (
      select item_id, sum(active_seconds) as seconds, case when max(duration) is null then max(progress)
        else sum(least(progress, active_seconds * ${sql.lit(maxPlaybackRate)} / duration)) end as progress
      from views group by item_id, version_no
    )
    select item_id, sum(seconds)::int as seconds, least(max(progress), 1)::float8 as progress from versions group by item_id
  `.execute(tx)
  return rows
}
