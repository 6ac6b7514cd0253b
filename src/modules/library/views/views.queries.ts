import { type Insertable, sql } from 'kysely'
import { type Database, selectRows, type TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import type { PageSeconds } from './page-seconds.rules.ts'

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

type OpenView = { itemId: string; versionNo: number | null; userId: string; after: Date }

/** A view shows one version; a new version of the item begins another view. */
export async function findOpenViewId(
  tx: TenantTx,
  { itemId, versionNo, userId, after }: OpenView,
): Promise<string | undefined> {
  const view = await tx
    .selectFrom('enablement.content_views')
    .select('id')
    .where('user_id', '=', userId)
    .where('item_id', '=', itemId)
    .where('version_no', 'is not distinct from', versionNo)
    .where('source', '=', 'library')
    .where('last_event_at', '>', after)
    .orderBy('last_event_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return view?.id
}

export async function insertView(tx: TenantTx, view: Insertable<Database['enablement.content_views']>): Promise<void> {
  await tx.insertInto('enablement.content_views').values(view).execute()
}

export type NewViewRow = {
  id: string
  item_id: string
  user_id: string
  source: 'library'
  is_internal: boolean
  started_at: Date
  last_event_at: Date
  reported_seconds: number
  active_seconds: number
  heartbeats: number
  progress: number
  has_progress: boolean
  max_page: number | null
  page_seconds: PageSeconds | null
  completed: boolean
}

export async function insertViews(tx: TenantTx, views: readonly NewViewRow[]): Promise<void> {
  const { columns, rows } = selectRows(views, {
    id: 'uuid',
    item_id: 'uuid',
    user_id: 'uuid',
    source: 'text',
    is_internal: 'boolean',
    started_at: 'timestamptz',
    last_event_at: 'timestamptz',
    reported_seconds: 'integer',
    active_seconds: 'integer',
    heartbeats: 'integer',
    progress: 'numeric',
    has_progress: 'boolean',
    max_page: 'integer',
    page_seconds: 'jsonb',
    completed: 'boolean',
  })
  await tx.insertInto('enablement.content_views').columns(columns).expression(rows).execute()
}

export async function lockOwnView(tx: TenantTx, id: string, userId: string) {
  const view = await tx
    .selectFrom('enablement.content_views')
    .select([
      'id',
      'item_id',
      'started_at',
      'last_event_at',
      'last_heartbeat_at',
      'has_progress',
      'reported_seconds',
      'active_seconds',
      'progress',
      'max_page',
      'page_seconds',
      'completed',
      durationOfView.as('duration_seconds'),
    ])
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('view'))
  return { ...view, progress: Number(view.progress), page_seconds: view.page_seconds as PageSeconds | null }
}

type ViewChanges = {
  last_event_at: Date
  last_heartbeat_at: Date
  reported_seconds: number
  active_seconds: number
  progress: number
  max_page: number | null
  page_seconds: PageSeconds | null
  completed: boolean
}

export async function updateViewRow(
  tx: TenantTx,
  id: string,
  { page_seconds, ...changes }: ViewChanges,
): Promise<void> {
  await tx
    .updateTable('enablement.content_views')
    .set({
      ...changes,
      page_seconds: page_seconds && JSON.stringify(page_seconds),
      heartbeats: sql<number>`heartbeats + 1`,
    })
    .where('id', '=', id)
    .execute()
}

export async function markViewDownloaded(tx: TenantTx, open: OpenView, now: Date): Promise<void> {
  const viewId = await findOpenViewId(tx, open)
  if (!viewId) return
  await tx
    .updateTable('enablement.content_views')
    .set({ downloaded_at: now, last_event_at: now })
    .where('id', '=', viewId)
    .where('downloaded_at', 'is', null)
    .execute()
}
