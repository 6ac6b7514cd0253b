import { type SearchSource, toLabel } from '#modules/identity'
import { listCadenceRows } from '../cadences/cadences/list-cadences.queries.ts'
import { listCampaignRows } from '../campaigns/campaigns/list-campaigns.queries.ts'
import { listSegmentRows } from '../segments/segments/segments.queries.ts'

const firstPage = (limit: number) => ({ limit, offset: 0, count: 'none' }) as const

export const marketingSearchSources: SearchSource[] = [
  {
    type: 'segment',
    scope: 'segments.read',
    path: '/segments',
    async find(tx, search, { limit }) {
      const { items } = await listSegmentRows(tx, { search, sort: 'name', ...firstPage(limit) })
      return items.map(({ id, name, object_type }) => ({ id, title: name, subtitle: toLabel(`${object_type}s`) }))
    },
  },
  {
    type: 'campaign',
    scope: 'campaigns.read',
    path: '/campaigns',
    async find(tx, search, { limit }) {
      const { items } = await listCampaignRows(tx, { search }, firstPage(limit))
      return items.map(({ id, name, type }) => ({ id, title: name, subtitle: toLabel(type) }))
    },
  },
  {
    type: 'cadence',
    scope: 'cadences.read',
    path: '/cadences',
    async find(tx, search, { limit }) {
      const { items } = await listCadenceRows(tx, { search }, firstPage(limit))
      return items.map(({ id, name, status }) => ({ id, title: name, subtitle: toLabel(status) }))
    },
  },
]
