import { type SearchSource, toLabel } from '#modules/identity'
import { listCampaignRows } from '../campaigns/list-campaigns.queries.ts'

export const marketingSearchSources: SearchSource[] = [
  {
    type: 'campaign',
    scope: 'campaigns.read',
    path: '/campaigns',
    async find(tx, search, { limit }) {
      const { items } = await listCampaignRows(tx, { search }, { limit, offset: 0, count: 'none' })
      return items.map(({ id, name, type }) => ({ id, title: name, subtitle: toLabel(type) }))
    },
  },
]
