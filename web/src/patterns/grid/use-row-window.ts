import { type RefObject, useCallback, useLayoutEffect, useRef, useState } from 'react'
import { countSlots, maxRows, moveWindow, type RowWindow, revealRow, visibleRows, windowRows } from './row-window.ts'

type View = { base: number; first: number; end: number; viewHeight: number; viewWidth: number }

const isSameView = (one: View, other: View): boolean =>
  Object.entries(one).every(([key, value]) => other[key as keyof View] === value)

/** Follows the scroll position of a list and says which rows to render. */
export function useRowWindow(
  container: RefObject<HTMLElement | null>,
  { rowCount, rowHeight, headerHeight }: { rowCount: number; rowHeight: number; headerHeight: number },
) {
  const [view, setView] = useState<View>({ base: 0, first: 0, end: 0, viewHeight: 0, viewWidth: 0 })
  const size = useRef({ rowCount, rowHeight })
  const base = useRef(0)
  size.current = { rowCount, rowHeight }

  const update = useCallback(() => {
    const element = container.current
    if (!element) return
    const { clientHeight: viewHeight, clientWidth: viewWidth } = element
    const current: RowWindow = { base: base.current, scrollTop: element.scrollTop }
    const moved = moveWindow(current, size.current)
    if (moved !== current) {
      base.current = moved.base
      element.scrollTop = moved.scrollTop
    }
    const { first, end } = visibleRows(moved, { ...size.current, viewHeight })
    const next = { base: moved.base, first, end, viewHeight, viewWidth }
    setView((before) => (isSameView(before, next) ? before : next))
  }, [container])

  useLayoutEffect(() => {
    const element = container.current!
    const observer = new ResizeObserver(update)
    observer.observe(element)
    element.addEventListener('scroll', update, { passive: true })
    return () => {
      observer.disconnect()
      element.removeEventListener('scroll', update)
    }
  }, [container, update])
  useLayoutEffect(update, [update, rowCount, rowHeight])

  const reveal = useCallback(
    (row: number) => {
      const element = container.current
      if (!element) return
      const current = { base: base.current, scrollTop: element.scrollTop }
      const shown = revealRow(current, row, { rowHeight, viewHeight: element.clientHeight - headerHeight })
      if (shown === current) return
      base.current = shown.base
      element.scrollTop = shown.scrollTop
      update()
    },
    [container, rowHeight, headerHeight, update],
  )
  const readTop = useCallback(() => {
    const scrollTop = container.current?.scrollTop ?? 0
    return { row: base.current + Math.floor(scrollTop / rowHeight), pixels: scrollTop % rowHeight }
  }, [container, rowHeight])
  const scrollTo = useCallback(
    ({ row, pixels }: { row: number; pixels: number }) => {
      base.current = row < maxRows ? 0 : row - maxRows / 2
      if (container.current) container.current.scrollTop = (row - base.current) * rowHeight + pixels
      update()
    },
    [container, rowHeight, update],
  )
  const slots = countSlots(view.viewHeight, rowHeight)
  return { ...view, slots, height: windowRows(view, { rowCount }) * rowHeight, reveal, readTop, scrollTo }
}
