export type ListRows = {
  name: string
  rowCount: number
  getRow: (index: number) => { id: string } | undefined
  findIndex: (id: string) => number
  isRefreshing: boolean
  isPending?: boolean
}

/** The row that the keys act on. It keeps its id when other rows are inserted or removed. */
export type ActiveRow = { name: string; index: number; id?: string }

/** Finds the active row in the rows that are shown now. Returns the same object if nothing has changed. */
export function followActiveRow(before: ActiveRow, rows: ListRows, start = { index: 0 }): ActiveRow {
  const active = before.name === rows.name ? before : { name: rows.name, ...start }
  if (rows.isRefreshing || rows.isPending) return active
  const found = active.id === undefined ? -1 : rows.findIndex(active.id)
  const index = found >= 0 ? found : Math.max(0, Math.min(active.index, rows.rowCount - 1))
  // The row that took the place of a removed one. A row that is not loaded may still be there.
  const id = rows.getRow(index)?.id ?? active.id
  return index === active.index && id === active.id ? active : { name: rows.name, index, id }
}

export type RowMove = 'next' | 'previous' | 'pageDown' | 'pageUp' | 'first' | 'last'

export function moveRow(index: number, move: RowMove, { rowCount, viewRows }: { rowCount: number; viewRows: number }) {
  const last = Math.max(0, rowCount - 1)
  const target = {
    next: index + 1,
    previous: index - 1,
    pageDown: index + viewRows,
    pageUp: index - viewRows,
    first: 0,
    last,
  }[move]
  return Math.max(0, Math.min(last, target))
}
