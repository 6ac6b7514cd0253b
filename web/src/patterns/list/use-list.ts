import { useNavigate, useSearch } from '@tanstack/react-router'
import { useCallback, useMemo } from 'react'
import { usePages } from '../../api/pages.ts'
import { type Me, useMe } from '../../session/me.ts'
import { dayIn } from '../../ui/format.ts'
import { useNow } from '../use-now.ts'
import { parseColumns, toStoredColumns } from './list-columns.ts'
import type { ListDefinition, ListSource } from './list-definition.ts'
import type { ListSearch } from './list-search.ts'
import { useListPreferences } from './use-list-preferences.ts'

export function describeList<Row extends { id: string }, Query extends object>(
  source: ListSource<Row, Query>,
  me: Me,
  search: ListSearch,
  now: number,
) {
  const standard = source.standardView(me)
  const filters = source.search.filtersOf(search, standard)
  const sort = search.sort ?? source.search.sorts[0]!
  const today = dayIn(me.tenant.general.timezone, now)
  const query = source.toQuery(filters, sort, today)
  const key = source.keyOf(query)
  return { standard, filters, sort, today, query, key, name: JSON.stringify(key) }
}

export function useList<Row extends { id: string }, Query extends object>(definition: ListDefinition<Row, Query>) {
  const me = useMe()
  const search = definition.search.parse(useSearch({ strict: false }))
  const navigate = useNavigate()
  const now = useNow()
  const { key, ...described } = describeList(definition, me, search, now)
  const { standard } = described
  const pages = usePages(key, definition.load(described.query))
  const { change: changePreferences, ...preferences } = useListPreferences(definition)
  const isChosenInUrl = search.columns !== undefined
  const columns = parseColumns(definition, search.columns ?? preferences.columns)

  const change = useCallback(
    (update: (before: ListSearch) => ListSearch, options: { replace?: boolean } = {}) =>
      void navigate({ to: '.', search: update as never, ...options }),
    [navigate],
  )
  const actions = useMemo(() => {
    const { passing, sorts, withFilter } = definition.search
    return {
      setFilter: (filter: string, value: string | undefined) =>
        change((before) => withFilter(before, standard, filter, value)),
      setSort: (next: string) =>
        change(({ sort: _, ...before }) => (next === sorts[0] ? before : { ...before, sort: next })),
      show: (next: ListSearch) => change(() => next),
      /** Opens a record beside the list. The first one adds an entry to the history, the next ones replace it. */
      open: (id: string, options: Readonly<Record<string, string | undefined>> = {}) =>
        change((before) => ({ ...before, open: id, ...options }), {
          replace: new URLSearchParams(location.search).has('open'),
        }),
      close: () => change((before) => withoutKeys(before, passing)),
    }
  }, [change, standard])
  /** Changes the columns of the view in the URL, otherwise those of the list. */
  const setColumns = (keys: readonly string[]) => {
    if (isChosenInUrl) change((before) => ({ ...before, columns: keys.join() }))
    else changePreferences((list) => ({ ...list, columns: toStoredColumns(definition, keys) }))
  }
  return { definition, me, search, pages, now, change, ...described, ...preferences, columns, setColumns, ...actions }
}

export type List<Row extends { id: string } = { id: string }, Query extends object = object> = ReturnType<
  typeof useList<Row, Query>
>

const withoutKeys = (search: ListSearch, keys: readonly string[]): ListSearch =>
  Object.fromEntries(Object.entries(search).filter(([key]) => !keys.includes(key)))
