import { type SearchSource, toLabel } from '#modules/identity'
import { listItemRows } from './list-content.queries.ts'
import { searchContent } from './search-content.queries.ts'
import { readViewer } from './viewer.service.ts'

export const contentSearchSource: SearchSource = {
  type: 'content',
  scope: 'content.read',
  path: '/content',
  async find(tx, search, { limit, now }) {
    const [viewer, matches] = await Promise.all([readViewer(tx), searchContent(tx, search)])
    if (!matches.length) return []
    const page = { limit, offset: 0, count: 'none', sort: 'relevance' } as const
    const { items } = await listItemRows(tx, viewer, { matches, now }, page)
    return items.map(({ id, title, type }) => ({ id, title, subtitle: toLabel(type) }))
  },
}
