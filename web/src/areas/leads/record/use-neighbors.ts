import { useEffect, useRef } from 'react'
import { usePages } from '../../../api/pages.ts'
import { readListPlace, rememberListPlace } from '../../../patterns/grid/list-place.ts'
import { useNow } from '../../../patterns/use-now.ts'
import { searchOfList } from '../../../session/list-places.ts'
import { useMe } from '../../../session/me.ts'
import { listTexts } from '../../../texts/en/list-texts.ts'
import { formatNumber } from '../../../ui/format.ts'
import { describeTotal } from '../describe-total.ts'
import { describeList } from '../lead-list.ts'
import { loadLeadPage } from '../lead-queries.ts'

export function useNeighbors(id: string, show: (id: string) => void) {
  const me = useMe()
  const { key, name, query } = describeList(me, searchOfList('/leads', location.pathname), useNow())
  const { locale } = me
  const pages = usePages(key, loadLeadPage(query))
  const { rowCount, showRows } = pages
  const wasShown = useRef(readListPlace(name) !== undefined)
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
  if (found < 0 && !wasShown.current) return {}
  return {
    position:
      found >= 0 ? listTexts.position(formatNumber(found + 1, locale), describeTotal(pages, locale)) : undefined,
    previous: index > 0 ? goTo(index - 1) : undefined,
    // The row after a lead that has left the list has taken its place.
    next: index < rowCount ? goTo(found >= 0 ? index + 1 : index) : undefined,
  }
}
