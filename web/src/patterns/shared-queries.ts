import { queryOptions } from '@tanstack/react-query'
import { api, read, type Schemas } from '../api/client.ts'
import { queryKeys } from '../api/query-keys.ts'

const staleMs = 10 * 60_000

/** All pipelines with their stages, also those that are not used anymore. */
export const pipelinesQuery = queryOptions({
  queryKey: queryKeys.pipelines,
  queryFn: async ({ signal }) => (await read(api.GET('/api/opportunities/pipelines', { signal }))).items,
  staleTime: staleMs,
})

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: queryKeys.users.detail(id),
    queryFn: ({ signal }) => read(api.GET('/api/users/{user_id}', { params: { path: { user_id: id } }, signal })),
    staleTime: staleMs,
  })

/** The active custom fields of leads, contacts, accounts or deals. They rarely change during a session. */
export const customFieldsQuery = (objectType: Schemas['CustomField']['object_type']) =>
  queryOptions({
    queryKey: queryKeys.customFields(objectType),
    queryFn: async ({ signal }) => {
      const query = { object_type: [objectType], is_active: true, limit: 200, count: 'none' as const }
      return (await read(api.GET('/api/custom-fields', { params: { query }, signal }))).items
    },
    staleTime: Number.POSITIVE_INFINITY,
  })

export const kpisQuery = (ownerId: string | undefined) =>
  queryOptions({
    queryKey: queryKeys.leads.kpis(ownerId),
    queryFn: ({ signal }) => read(api.GET('/api/leads/kpis', { params: { query: { owner_id: ownerId } }, signal })),
  })
