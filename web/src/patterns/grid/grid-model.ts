import type { ReactNode } from 'react'

export type Column<Row> = {
  key: string
  label: string
  /** A track of a CSS grid, such as `120px` or `minmax(180px, 2fr)`. */
  width: string
  align?: 'end'
  /** The column is left out if the list is narrower. */
  minListWidth?: number
  sort?: { direction: 'asc' | 'desc' | null; toggle: () => void }
  render: (row: Row) => ReactNode
}

export type Selection = {
  has: (id: string) => boolean
  toggle: (index: number) => void
  isAll: boolean
  isSome?: boolean
  toggleAll: () => void
}
