import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api, read } from '../../api/client.ts'
import { queryKeys } from '../../api/query-keys.ts'
import { useSettled } from '../../patterns/use-settled.ts'
import { useMe } from '../../session/me.ts'
import { areasOf } from '../navigation/areas.ts'

const recordsPerType = 3
const minLength = 2
const maxLength = 100

/** Searches records while the user types. A new query cancels the request of the former one. */
export function useRecordSearch(query: string) {
  const types = areasOf(useMe()).flatMap(({ record }) => record ?? [])
  const q = useSettled(query.trim().slice(0, maxLength))
  const isSearched = q.length >= minLength && query.trim().length >= minLength
  const result = useQuery({
    queryKey: queryKeys.search(q),
    queryFn: ({ signal }) =>
      read(api.GET('/api/search', { params: { query: { q, types, limit: recordsPerType } }, signal })),
    enabled: isSearched,
    placeholderData: keepPreviousData,
    gcTime: 60_000,
  })
  return {
    found: (isSearched && result.data?.items) || [],
    error: isSearched ? result.error : null,
    isSearching: isSearched && (result.isFetching || q !== query.trim()),
    retry: () => void result.refetch(),
  }
}
