import { useEffect, useLayoutEffect, useRef } from 'react'
import { findNear, keepListPlace, type ListPlace, readListPlace, rememberListPlace } from './list-place.ts'
import type { ListCursor } from './use-list-commands.ts'
import type { useRowWindow } from './use-row-window.ts'

type PlaceOptions = {
  cursor: ListCursor
  rows: ReturnType<typeof useRowWindow>
  rowCount: number
  getRow: (index: number) => { id: string } | undefined
}

/** Scrolls a list to where it was when it was left, and reveals the active row after each move. */
export function useListPlace({ cursor, rows, rowCount, getRow }: PlaceOptions): void {
  const { name, index, id, moves } = cursor
  const { first, reveal, readTop, scrollTo } = rows
  const restored = useRef<ListPlace['top']>(undefined)
  const isRevealed = useRef(false)
  const readPlace = useRef<() => ListPlace>(undefined)
  readPlace.current = () => {
    const top = readTop()
    return { name, active: { index, id }, top: { ...top, id: getRow(top.row)?.id } }
  }
  useLayoutEffect(() => {
    restored.current = readListPlace(name)?.top
    if (restored.current) {
      isRevealed.current = true
      scrollTo(restored.current)
    }
    return () => rememberListPlace(readPlace.current!())
  }, [])
  useEffect(() => {
    const top = restored.current
    if (!top || (top.row < rowCount && !getRow(top.row))) return
    restored.current = undefined
    const row = top.id === undefined ? undefined : findNear(top.id, top.row, getRow)
    if (row !== undefined && row !== top.row) scrollTo({ ...top, row })
  })
  // Not with the index alone, because rows that others insert must not scroll the list.
  useEffect(() => {
    if (isRevealed.current) isRevealed.current = false
    else {
      restored.current = undefined
      reveal(index)
    }
  }, [moves, reveal])
  useEffect(() => {
    if (!restored.current) keepListPlace(readPlace.current!())
  }, [name, index, id, first])
}
