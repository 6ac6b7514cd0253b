/** The pages of a list that are known so far: page n can be read once page n − 1 has told its cursor. */
export type PageCursors = { cursors: (string | undefined)[]; rowCount: number | null }

export const newPageCursors = (): PageCursors => ({ cursors: [undefined], rowCount: null })

export type ReadPage = { items: readonly unknown[]; next_cursor: string | null }

/** Notes where the next page begins, or that the list ends with this page. */
export function notePage(known: PageCursors, page: number, pageSize: number, { items, next_cursor }: ReadPage): void {
  if (next_cursor === null) {
    known.cursors.length = page + 1
    known.rowCount = page * pageSize + items.length
    return
  }
  known.cursors[page + 1] = next_cursor
  // A list whose last page has got a successor is longer than it was.
  if (known.rowCount !== null && known.rowCount <= (page + 1) * pageSize) known.rowCount = null
}

const rowsToCome = 12

/** The number of rows to scroll through: those that are known, and a few that show that there are more. */
export function countRows({ cursors, rowCount }: PageCursors, pageSize: number, isLastRead: boolean): number {
  if (rowCount !== null) return rowCount
  const before = (cursors.length - 1) * pageSize
  if (isLastRead) return before + pageSize
  return cursors.length > 1 ? before + rowsToCome : 0
}
