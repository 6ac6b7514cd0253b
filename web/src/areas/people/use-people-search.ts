import { getRouteApi } from '@tanstack/react-router'
import { useCallback } from 'react'
import type { PeopleSearch } from './people-search.ts'

const route = getRouteApi('/people')

/** The state of the list in the URL, and the function that changes it. */
export function usePeopleSearch() {
  const search: PeopleSearch = route.useSearch()
  const navigate = route.useNavigate()
  const change = useCallback(
    (changes: Partial<PeopleSearch>, options: { isReplaced?: boolean } = {}) =>
      void navigate({
        search: (before: PeopleSearch) => ({ ...before, ...changes }),
        replace: options.isReplaced ?? false,
      }),
    [navigate],
  )
  return { search, change }
}
