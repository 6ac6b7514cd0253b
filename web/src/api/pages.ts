import { keepPreviousData, useQueries } from '@tanstack/react-query'
import { useCallback, useMemo, useRef, useState } from 'react'

export type Page<Row> = {
  items: Row[]
  next_cursor: string | null
  total?: number | null
  total_relation?: 'eq' | 'gte' | null
}

export const pageSize = 100
const placeholderRows = 12

type LoadPage<Row> = (cursor: string | undefined, signal: AbortSignal) => Promise<Page<Row>>

/**
 * Reads a list page by page as it is scrolled. The cursors of all pages are kept, the rows only of the pages near the
 * view: React Query drops the others.
 */
export function usePages<Row>(key: readonly unknown[], load: LoadPage<Row>) {
  const name = JSON.stringify(key)
  const cursors = useRef({ name, byPage: new Map<number, string | undefined>() })
  if (cursors.current.name !== name) cursors.current = { name, byPage: new Map() }
  const { byPage } = cursors.current
  if (!byPage.has(0)) byPage.set(0, undefined)
  const [range, setRange] = useState({ name, first: 0, end: 1 })
  const { first, end } = range.name === name ? range : { first: 0, end: 1 }
  // The first page has the total.
  const pagesInView = Array.from({ length: end - first }, (_, at) => first + at)
  const shownPages = [...new Set([0, ...pagesInView])].filter((page) => byPage.has(page))

  const results = useQueries({
    queries: shownPages.map((page) => ({
      queryKey: [...key, 'page', page],
      queryFn: ({ signal }: { signal: AbortSignal }) => load(byPage.get(page), signal),
      gcTime: 60_000,
      placeholderData: page === 0 ? keepPreviousData : undefined,
    })),
  })
  const pages = new Map(shownPages.map((page, at) => [page, results[at]!]))
  for (const [page, { data, isPlaceholderData }] of pages)
    if (data?.next_cursor && !isPlaceholderData) byPage.set(page + 1, data.next_cursor)

  const firstPage = pages.get(0)
  const lastKnown = Math.max(...byPage.keys())
  const lastRows = pages.get(lastKnown)?.data?.items.length
  const hasEnd = pages.get(lastKnown)?.data?.next_cursor === null
  const rowCount =
    lastKnown * pageSize +
    (hasEnd ? lastRows! : lastRows ? pageSize + placeholderRows : lastKnown ? placeholderRows : 0)

  const showRows = useCallback(
    (from: number, to: number) => {
      const next = {
        name,
        first: Math.max(0, Math.floor(from / pageSize) - 1),
        end: Math.floor(Math.max(to, 1) / pageSize) + 2,
      }
      setRange((before) =>
        before.name === name && before.first === next.first && before.end === next.end ? before : next,
      )
    },
    [name],
  )
  const rowsByPage = new Map([...pages].map(([page, { data }]) => [page, data?.items]))
  const getRow = (index: number): Row | undefined => rowsByPage.get(Math.floor(index / pageSize))?.[index % pageSize]
  const error = results.find((result) => result.isError)?.error
  const loaded = useMemo(() => results.flatMap(({ data }) => data?.items ?? []), [results])
  return {
    rowCount,
    getRow,
    showRows,
    loaded,
    isPending: firstPage?.isPending ?? false,
    isRefreshing: firstPage?.isPlaceholderData ?? false,
    error,
    total: firstPage?.data?.total ?? null,
    totalRelation: firstPage?.data?.total_relation ?? null,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch()
    },
  }
}
