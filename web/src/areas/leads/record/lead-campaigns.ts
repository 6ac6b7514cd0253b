import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'

export const leadCampaignsQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.leads.campaigns(id),
    queryFn: async ({ signal }) => {
      const params = { path: { lead_id: id }, query: { limit: 100 } }
      return (await read(api.GET('/api/leads/{lead_id}/campaigns', { params, signal }))).items
    },
  })
