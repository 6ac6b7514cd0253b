import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'

/** Preferences with the columns and own views of lists, which `me` does not have. */
export const preferencesQuery = queryOptions({
  queryKey: queryKeys.preferences,
  queryFn: () => read(api.GET('/api/auth/preferences')),
  staleTime: 300_000,
})
