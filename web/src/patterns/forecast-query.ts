import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../api/area-keys.ts'
import { api, read } from '../api/client.ts'

export const forecastQuery = (ownerId: string | undefined) =>
  queryOptions({
    queryKey: areaKeys.deals.forecast(ownerId),
    queryFn: ({ signal }) =>
      read(api.GET('/api/opportunities/forecast', { params: { query: { owner_id: ownerId } }, signal })),
  })
