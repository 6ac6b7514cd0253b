import { getRouteApi } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { usePages } from '../../../api/pages.ts'
import { useNow } from '../../../patterns/use-now.ts'
import { useMe } from '../../../session/me.ts'
import { describeList } from '../lead-list.ts'
import { loadLeadPage } from '../lead-queries.ts'
import {
  type ComposeKind,
  type FilterKey,
  type LeadSearch,
  type LeadSort,
  type LeadTab,
  withFilter,
} from '../lead-search.ts'

const route = getRouteApi('/leads')

/** The list of the URL, and the ways to change it. */
export function useLeadList() {
  const me = useMe()
  const search = route.useSearch()
  const navigate = route.useNavigate()
  const now = useNow()
  const { standard, filters, sort, today, query, key, name } = describeList(me, search, now)
  const pages = usePages(key, loadLeadPage(query))

  const change = useCallback(
    (update: (before: LeadSearch) => LeadSearch, options: { replace?: boolean } = {}) =>
      void navigate({ search: update, ...options }),
    [navigate],
  )
  const actions = useMemo(
    () => ({
      setFilter: (filter: FilterKey, value: string | undefined) =>
        change((before) => withFilter(before, standard, filter, value)),
      setSort: (next: LeadSort) =>
        change(({ sort: _, ...before }) => (next === 'queue' ? before : { ...before, sort: next })),
      setColumns: (columns: string | undefined) => change(({ columns: _, ...before }) => ({ ...before, columns })),
      show: (next: LeadSearch) => change(() => next),
      open: (id: string, options: { compose?: ComposeKind; tab?: LeadTab } = {}) =>
        change(({ compose: _, ...before }) => ({ ...before, open: id, ...options }), {
          replace: new URLSearchParams(location.search).has('open'),
        }),
      setTab: (tab: LeadTab) => change((before) => ({ ...before, tab }), { replace: true }),
      endCompose: () => change(({ compose: _, ...before }) => before, { replace: true }),
      close: () => change(({ open: _, tab: __, compose: ___, ...before }) => before),
    }),
    [change, standard],
  )
  return { me, search, standard, filters, sort, query, today, name, pages, now, ...actions }
}

export type LeadList = ReturnType<typeof useLeadList>
