import type { UseQueryOptions } from '@tanstack/react-query'
import type { ComponentType, ReactNode } from 'react'
import type { Page, PageRequest } from '../../api/pages.ts'
import type { Me } from '../../session/me.ts'
import type { Option } from '../../ui/field.tsx'
import type { Filters, SearchRulesOfList } from './list-search.ts'

export type ListSource<Row extends { id: string } = { id: string }, Query extends object = object> = {
  path: string
  search: SearchRulesOfList
  standardView(me: Me): string
  /** The query of the API. `today` is the day in the time zone of the workspace. */
  toQuery(filters: Filters, sort: string, today: string): Query
  keyOf(query: Query): readonly unknown[]
  load(query: Query): (request: PageRequest, signal: AbortSignal) => Promise<Page<Row>>
}

export type ListDefinition<Row extends { id: string } = { id: string }, Query extends object = object> = ListSource<
  Row,
  Query
> & {
  name: string
  texts: ListPageTexts
  filters: Readonly<Record<string, FilterDefinition>>
  columns: Readonly<Record<string, ColumnDefinition<Row>>>
  standardColumns: readonly string[]
  nameOf(row: Row): string
}

/** Each order, filter, view and column has its text; an order without one is only offered by its column. */
export type ListPageTexts = {
  title: string
  list: string
  area: string
  create: string
  search: string
  selectAll: string
  views: Readonly<Record<string, string>>
  columns: Readonly<Record<string, string>>
  filters: Readonly<Record<string, string>>
  sorts: Readonly<Record<string, string>>
  sortCommands: Readonly<Record<string, string>>
}

// biome-ignore lint/suspicious/noExplicitAny: the query returns any records, and `select` makes choices of them
export type LoadedChoices = UseQueryOptions<any, Error, readonly Option[], any>

export type FilterDefinition = {
  choices?: readonly Option[]
  loadChoices?: LoadedChoices
  isSingle?: boolean
  /** Asks for a value that is no choice. A component of its own is loaded later (`lazyPart`). */
  dialog?: FilterDialogKind | ComponentType<FilterDialogProps>
  /** Whether `owner` is only a user, because the API cannot find records without an owner. */
  excludesNone?: boolean
  limits?: { min?: number; max?: number }
  /** The text of a value that is no choice; undefined for the others. */
  describe?: (value: string) => string | undefined
  /** Shows the value, for example the name of the record that it is the id of. */
  Value?: ComponentType<{ value: string }>
  expand?: (value: string) => string
  isHidden?: boolean
  /** Values beside the choices that the dialog for small screens offers. */
  moreOptions?: readonly Option[]
}

export type FilterDialogKind = 'owner' | 'text' | 'number' | 'period'

export type FilterDialogProps = {
  filter: string
  label: string
  value: string | undefined
  choose: (value: string | undefined) => void
  close: () => void
}

export type ColumnOptions = {
  now: number
  locale: string
  /** The label of a choice of a filter, such as that of a source. */
  labelOf: (filter: string, value: string) => string
}

export type ColumnDefinition<Row> = {
  /** A track of a CSS grid, such as `120px` or `minmax(180px, 2fr)`. */
  width: string
  align?: 'end'
  minListWidth?: number
  /** The order of the first click; the second one reverses it, the third one returns to the standard order. */
  sort?: string
  labels?: string
  render(row: Row, options: ColumnOptions): ReactNode
}
