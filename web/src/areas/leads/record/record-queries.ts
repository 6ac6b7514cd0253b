import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../../api/client.ts'
import { queryKeys } from '../../../api/query-keys.ts'

export const scoringWeightsQuery = queryOptions({
  queryKey: queryKeys.scoringWeights,
  queryFn: async ({ signal }) => (await read(api.GET('/api/leads/scoring-config', { signal }))).weights,
  staleTime: Number.POSITIVE_INFINITY,
})

/** Leads and contacts that may be the same person. */
export const duplicatesQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.leads.duplicates(id),
    queryFn: async ({ signal }) =>
      (await read(api.GET('/api/leads/{lead_id}/duplicates', { params: { path: { lead_id: id } }, signal }))).items,
  })
