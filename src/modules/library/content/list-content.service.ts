import type { Page, TenantTx } from '#platform/db'
import { invalid } from '#platform/errors'
import type { ContentFilter, ContentSummary } from './content.schemas.ts'
import { listItemRows } from './list-content.queries.ts'
import { type ContentContext, presentSummaries } from './present-content.service.ts'
import { countSearchMiss, searchContent, toSearchQuery } from './search-content.queries.ts'
import { readViewer } from './viewer.service.ts'

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
