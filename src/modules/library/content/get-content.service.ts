import { actorOf, type Page, type TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import { hasProgress } from '../views/views.rules.ts'
import { openView } from '../views/views.service.ts'
import { getVisibleItem } from './content.queries.ts'
import type { ContentFilter, ContentSummary } from './content.schemas.ts'
import { listItemRows } from './list-content.queries.ts'
import { type ContentContext, presentItem, presentSummaries } from './present-content.service.ts'
import { countSearchMiss, searchContent, toSearchQuery } from './search-content.queries.ts'
import { readViewer } from './viewer.service.ts'

/** Only user sessions open views: an API key or an impersonating admin is not the viewer. */
export async function getContentItem(
  tx: TenantTx,
  context: ContentContext,
  id: string,
  { isTracked }: { isTracked: boolean },
) {
  const viewer = await readViewer(tx)
  const row = await getVisibleItem(tx, id, viewer)
  const actor = actorOf(tx)
  const opensView = isTracked && actor.type === 'user' && row.status === 'published'
  const item = await presentItem(tx, context, row)
  const view = {
    itemId: id,
    versionNo: row.version_no,
    userId: actor.userId!,
    hasProgress: hasProgress(item.file ?? undefined),
    now: context.clock.now(),
  }
  return { ...item, view_id: opensView ? await openView(tx, view) : null }
}

export async function listContent(
  tx: TenantTx,
  context: ContentContext,
  { search, sort, ...filter }: ContentFilter,
): Promise<Page<ContentSummary>> {
  if (sort === 'relevance' && !search)
    throw invalid('query', '/sort', 'requires_search', '`sort` cannot be `relevance` without `search`.')
  const now = context.clock.now()
  const viewer = await readViewer(tx)
  const matches = search === undefined ? undefined : await searchContent(tx, search)
  const order = sort ?? (search === undefined ? '-updated_at' : 'relevance')
  const page = await listItemRows(tx, viewer, { ...filter, matches, now }, { ...filter, sort: order })
  const query = search && toSearchQuery(search)
  if (query && !page.items.length && filter.offset === 0 && !filter.cursor)
    await countSearchMiss(tx, query, { userId: viewer.userId, now })
  return { ...page, items: await presentSummaries(tx, context, page.items) }
}
