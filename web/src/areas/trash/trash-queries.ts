import { useInfiniteQuery } from '@tanstack/react-query'
import { areaKeys } from '../../api/area-keys.ts'
import { api, read, type Schemas } from '../../api/client.ts'
import { queryClient } from '../../api/queries.ts'
import type { Kind } from './trash-search.ts'

export type DeletedRecord = Schemas['DeletedRecord']

const pageSize = 50

export const useDeletedRecords = (kind: Kind) =>
  useInfiniteQuery({
    queryKey: areaKeys.deletedRecords(kind),
    queryFn: ({ pageParam, signal }) => {
      const params = {
        path: { record_type: kind },
        query: { limit: pageSize, cursor: pageParam, count: 'none' as const },
      }
      return read(api.GET('/api/deleted-records/{record_type}', { params, signal }))
    },
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    staleTime: 0,
  })

export function restoreRecord(kind: Kind, id: string): Promise<unknown> {
  if (kind === 'lead') return read(api.POST('/api/leads/{lead_id}/restore', { params: { path: { lead_id: id } } }))
  if (kind === 'contact')
    return read(api.POST('/api/contacts/{contact_id}/restore', { params: { path: { contact_id: id } } }))
  if (kind === 'account')
    return read(api.POST('/api/accounts/{account_id}/restore', { params: { path: { account_id: id } } }))
  return read(api.POST('/api/opportunities/{opportunity_id}/restore', { params: { path: { opportunity_id: id } } }))
}

/** Restored records are in lists, searches, boards and figures again. */
export const refreshRestored = (): Promise<void> => queryClient.invalidateQueries()
