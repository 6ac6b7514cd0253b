import { queryOptions } from '@tanstack/react-query'
import { areaKeys } from '../api/area-keys.ts'
import { api, read } from '../api/client.ts'

/** The rules of the workspace for leads and emails, such as the sender address and the limits of sending. */
export const crmSettingsQuery = queryOptions({
  queryKey: areaKeys.settings.crm,
  queryFn: ({ signal }) => read(api.GET('/api/leads/settings', { signal })),
  staleTime: 60_000,
})
