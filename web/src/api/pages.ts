import { useQueries, useQuery, useQueryClient } from '@tanstack/react-query'
import { useCallback, useEffect, useRef, useState } from 'react'
import { addressOf, countRows, lastKnownPage, newPageCursors, notePage, type PageAddress } from './page-cursors.ts'
import { standardStaleTime } from './queries.ts'

export type Page<Row> = {
  items: Row[]
  next_cursor: string | null
  total?: number | null
  total_relation?: 'eq' | 'gte' | null
}

export const pageSize = 100

export type PageRequest = PageAddress & { limit: number; count: 'capped' | 'exact' | 'none' }

type LoadPage<Row> = (request: PageRequest, signal: AbortSignal) => Promise<Page<Row>>

/** The pages of the list that was shown last, so that a list that is shown again can be scrolled to where it was. */
let lastList = { name: '', known: newPageCursors() }

/**
 * Reads a list page by page as it is scrolled. The cursors of all pages are kept, the rows only of the pages near the
 * view: React Query drops the others.
 */
export function usePages<Row extends { id: string }>(
  key: readonly unknown[],
  load: LoadPage<Row>,
  { staleTime = standardStaleTime, enabled = true }: { staleTime?: number; enabled?: boolean } = {},
) {
  const name = JSON.stringify(key)
  const list = useRef(lastList)
  if (list.current.name !== name) list.current = { name, known: newPageCursors() }
  const { known } = list.current
  useEffect(() => {
    lastList = list.current
  }, [name])
  const lastPages = useRef(new Map<number, Page<Row>>())
  const [range, setRange] = useState({ name, first: 0, end: 1 })
  const { first, end } = range.name === name ? range : { first: 0, end: 1 }
  // The first page has the total.
  const pagesInView = Array.from({ length: end - first }, (_, at) => first + at)
  const shownPages = [...new Set([0, ...pagesInView])].filter((page) => addressOf(known, page, pageSize))

  const results = useQueries({
    queries: shownPages.map((page) => {
      const address = addressOf(known, page, pageSize)!
      const request: PageRequest = { ...address, limit: pageSize, count: page === 0 ? 'capped' : 'none' }
      return {
        queryKey: [...key, 'page', page, address],
        queryFn: ({ signal }: { signal: AbortSignal }) => load(request, signal),
        gcTime: 60_000,
        staleTime,
        enabled,
      }
    }),
  })
  shownPages.forEach((page, at) => {
    const { data } = results[at]!
    if (data) notePage(known, page, pageSize, data)
  })
  // Rows stay while their page is read again with another cursor, and the first page also while other filters are read.
  const pages = new Map(
    shownPages.flatMap((page, at) => {
      const data = results[at]!.data ?? lastPages.current.get(page)
      return data ? [[page, data] as const] : []
    }),
  )
  lastPages.current = pages
  const firstPage = results[0]!
  const { total, isExact, count } = useTotal(name, key, { load, firstPage: pages.get(0) })
  known.total = isExact && firstPage.data ? total : null
  const rowCount = countRows(known, pageSize, pages.has(lastKnownPage(known))) || (pages.get(0)?.items.length ?? 0)

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
  const loaded = [...pages.values()].flatMap(({ items }) => items)
  return {
    name,
    rowCount,
    getRow: (index: number): Row | undefined => pages.get(Math.floor(index / pageSize))?.items[index % pageSize],
    /** The index of a row, among those near the view. */
    findIndex(id: string): number {
      for (const [page, { items }] of pages) {
        const at = items.findIndex((row) => row.id === id)
        if (at >= 0) return page * pageSize + at
      }
      return -1
    },
    showRows,
    loaded,
    isPending: pages.size === 0 && !firstPage.isError,
    /** Whether the rows are those of the filters before. */
    isRefreshing: firstPage.data === undefined && pages.size > 0,
    error: firstPage.isError && !firstPage.data ? firstPage.error : undefined,
    /** The error of a later page; the rows before it are shown. */
    moreError: results.slice(1).find((result) => result.isError && !result.data)?.error ?? undefined,
    total: isExact ? total : (known.rowCount ?? total),
    /** Otherwise there may be more rows than `total`, until they are counted. */
    isExact: isExact || known.rowCount !== null,
    count,
    retry: () => {
      for (const result of results) if (result.isError) void result.refetch()
    },
  }
}

type TotalOptions<Row> = { load: LoadPage<Row>; firstPage: Page<Row> | undefined }

/** The total of the first page, which is exact up to 1,000 rows, or the exact one after the user has asked for it. */
function useTotal<Row>(name: string, key: readonly unknown[], { load, firstPage }: TotalOptions<Row>) {
  const queries = useQueryClient()
  const [countedName, setCountedName] = useState<string>()
  const query = {
    queryKey: [...key, 'count'],
    queryFn: ({ signal }: { signal: AbortSignal }) => load({ limit: 1, count: 'exact' }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  }
  const counted = useQuery({ ...query, enabled: countedName === name }).data
  const isCapped = firstPage?.total_relation === 'gte'
  const { total = null } = (isCapped ? counted : firstPage) ?? firstPage ?? {}
  const count = async (): Promise<number> => {
    const page = await queries.fetchQuery(query)
    setCountedName(name)
    return page.total ?? 0
  }
  return { total, isExact: total !== null && (!isCapped || counted !== undefined), count }
}
