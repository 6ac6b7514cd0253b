import { queryOptions } from '@tanstack/react-query'
import { api, read } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

/** The rules of the workspace for leads and emails, such as the sender address and the limits of sending. */
export const crmSettingsQuery = queryOptions({
  queryKey: queryKeys.settings.crm,
  queryFn: ({ signal }) => read(api.GET('/api/leads/settings', { signal })),
  staleTime: 60_000,
})
