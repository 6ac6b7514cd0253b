/** The places of the pages of a list that are known: page n has a cursor once page n − 1 has been read. */
export type PageCursors = {
  cursors: Map<number, string>
  rowCount: number | null
  /** The exact number of rows, if it was counted. All pages can then be read by their offset. */
  total: number | null
}

export type PageAddress = { cursor?: string; offset?: number }

const maxOffset = 1_000_000

export const newPageCursors = (): PageCursors => ({ cursors: new Map(), rowCount: null, total: null })

export type ReadPage = { items: readonly unknown[]; next_cursor: string | null }

/** Notes where the next page begins, or that the list ends with this page. */
export function notePage(known: PageCursors, page: number, pageSize: number, { items, next_cursor }: ReadPage): void {
  const before = page * pageSize
  if (next_cursor === null) {
    for (const other of known.cursors.keys()) if (other > page) known.cursors.delete(other)
    known.rowCount = items.length > 0 ? before + items.length : Math.min(before, known.rowCount ?? before)
    return
  }
  known.cursors.set(page + 1, next_cursor)
  // A list whose last page has got a successor is longer than it was.
  if (known.rowCount !== null && known.rowCount <= before + pageSize) known.rowCount = null
}

export function addressOf({ cursors, rowCount, total }: PageCursors, page: number, pageSize: number) {
  const address: PageAddress = { cursor: cursors.get(page) }
  if (page === 0 || address.cursor) return address
  const offset = page * pageSize
  return offset < (rowCount ?? total ?? 0) && offset <= maxOffset ? { offset } : undefined
}

const rowsToCome = 12

export const lastKnownPage = ({ cursors }: PageCursors): number => Math.max(0, ...cursors.keys())

/** The number of rows to scroll through: those that are known, and a few that show that there are more. */
export function countRows(known: PageCursors, pageSize: number, isLastRead: boolean): number {
  if (known.rowCount !== null) return known.rowCount
  const page = lastKnownPage(known)
  const sequential = isLastRead ? (page + 1) * pageSize : page > 0 ? page * pageSize + rowsToCome : 0
  return Math.max(sequential, known.total ?? 0)
}
