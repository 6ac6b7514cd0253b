/** Browsers limit the height of an element, so that a list shows at most this many rows at once and moves on near its ends. */
export const maxRows = 200_000
const moveBy = maxRows / 2
const overscan = 6

export type RowWindow = {
  /** The first row of the scrollable element. */
  base: number
  scrollTop: number
}

type Size = { rowHeight: number; rowCount: number }

/** The number of rows of the scrollable element. */
export const windowRows = ({ base }: Pick<RowWindow, 'base'>, { rowCount }: Pick<Size, 'rowCount'>): number =>
  Math.min(maxRows, Math.max(0, rowCount - base))

/** The rows to render, from `first` to before `end`. */
export function visibleRows(
  { base, scrollTop }: RowWindow,
  { rowHeight, rowCount, viewHeight }: Size & { viewHeight: number },
): { first: number; end: number } {
  const top = base + Math.floor(scrollTop / rowHeight)
  const bottom = base + Math.ceil((scrollTop + viewHeight) / rowHeight)
  const limit = base + windowRows({ base }, { rowCount })
  return { first: Math.max(base, Math.min(top, limit) - overscan), end: Math.min(limit, bottom + overscan) }
}

/** The number of row elements that are enough for every scroll position. */
export const countSlots = (viewHeight: number, rowHeight: number): number =>
  Math.ceil(viewHeight / rowHeight) + 1 + 2 * overscan

/**
 * The row that each element shows, if any. A scrolled list changes only the elements whose rows left it: the others keep
 * their row and their place among the elements, because a moved element is laid out again.
 */
export const slotRows = ({ first, end, slots }: { first: number; end: number; slots: number }) =>
  Array.from({ length: slots }, (_, slot): number | undefined => {
    const index = first + ((slot - (first % slots) + slots) % slots)
    return index < end ? index : undefined
  })

/** Moves the window when the view comes near one of its ends. The rows in view stay where they are. */
export function moveWindow(current: RowWindow, { rowHeight, rowCount }: Size): RowWindow {
  const { base, scrollTop } = current
  const top = scrollTop / rowHeight
  const rows = windowRows(current, { rowCount })
  const margin = maxRows / 8
  const shift = (by: number): RowWindow => ({ base: base + by, scrollTop: scrollTop - by * rowHeight })
  if (rows === maxRows && top > rows - margin && base + rows < rowCount) return shift(moveBy)
  if (base > 0 && top < margin) return shift(-Math.min(moveBy, base))
  return current
}

/** The window that shows a row, moved only if the row is out of view. */
export function revealRow(
  current: RowWindow,
  row: number,
  { rowHeight, viewHeight }: Pick<Size, 'rowHeight'> & { viewHeight: number },
): RowWindow {
  const base = row < current.base || row >= current.base + maxRows ? Math.max(0, row - moveBy) : current.base
  const top = (row - base) * rowHeight
  if (base === current.base && top >= current.scrollTop && top + rowHeight <= current.scrollTop + viewHeight)
    return current
  const isAbove = base === current.base && top < current.scrollTop
  return { base, scrollTop: Math.max(0, isAbove ? top : top + rowHeight - viewHeight) }
}
