import { useEffect, useRef } from 'react'
import { usePages } from '../../api/pages.ts'
import { searchOfList } from '../../session/list-places.ts'
import { useMe } from '../../session/me.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { formatNumber } from '../../ui/format.ts'
import { readListPlace, rememberListPlace } from '../grid/list-place.ts'
import { useNow } from '../use-now.ts'
import { describeTotal } from './describe-total.ts'
import type { ListSource } from './list-definition.ts'
import { describeList } from './use-list.ts'

/**
 * The records before and after the one on a page, in the list that was shown last. The list is not read for them if it was
 * not shown, and not again unless a record has changed.
 */
export function useNeighbors<Row extends { id: string }, Query extends object>(
  source: ListSource<Row, Query>,
  id: string,
  show: (id: string) => void,
) {
  const me = useMe()
  const search = source.search.parse({ ...searchOfList(source.path, location.pathname) })
  const { key, name, query } = describeList(source, me, search, useNow())
  const { locale } = me
  const wasShown = useRef(readListPlace(name) !== undefined)
  const pages = usePages(key, source.load(query), {
    staleTime: Number.POSITIVE_INFINITY,
    enabled: wasShown.current,
  })
  const { rowCount, showRows } = pages
  const place = useRef(readListPlace(name)?.active.index ?? 0)
  const found = pages.findIndex(id)
  if (found >= 0) place.current = found
  const index = place.current
  useEffect(() => showRows(index, index + 2), [showRows, index])
  useEffect(() => {
    if (found >= 0 && readListPlace(name)?.active.id !== id) rememberListPlace({ name, active: { index: found, id } })
  }, [name, found, id])
  const goTo = (next: number) => {
    const row = pages.getRow(next)
    return row && (() => show(row.id))
  }
  if (!wasShown.current) return {}
  return {
    position:
      found >= 0 ? listTexts.position(formatNumber(found + 1, locale), describeTotal(pages, locale)) : undefined,
    previous: index > 0 ? goTo(index - 1) : undefined,
    // The row after a record that has left the list has taken its place.
    next: index < rowCount ? goTo(found >= 0 ? index + 1 : index) : undefined,
  }
}
