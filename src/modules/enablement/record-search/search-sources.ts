import { findAccountNames } from '#modules/crm'
import { type SearchSource, toLabel } from '#modules/identity'
import { listItemRows } from '../content/list-content.queries.ts'
import { searchContent } from '../content/search-content.queries.ts'
import { readViewer } from '../content/viewer.service.ts'
import { listRoomsByText } from './record-search.queries.ts'

const rooms: SearchSource = {
  type: 'room',
  scope: 'rooms.read',
  path: '/rooms',
  async find(tx, search, { limit }) {
    const found = await listRoomsByText(tx, search, limit)
    const accountIds = found.flatMap(({ account_id }) => account_id ?? [])
    const accounts = await findAccountNames(tx, accountIds)
    return found.map(({ id, name, account_id }) => ({
      id,
      title: name,
      subtitle: (account_id !== null && accounts.get(account_id)) || null,
    }))
  },
}

const content: SearchSource = {
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

export const enablementSearchSources: SearchSource[] = [content, rooms]
