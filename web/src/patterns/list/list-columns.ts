import type { Column } from '../grid/grid-model.ts'
import type { ColumnOptions, ListDefinition } from './list-definition.ts'

type Sorting = { sort: string; setSort: (sort: string) => void }
type Columns = Pick<ListDefinition, 'standardColumns' | 'texts'>

const inOrder = ({ texts }: Columns, isShown: (key: string, index: number) => boolean): string[] =>
  Object.keys(texts.columns).filter(isShown)

/** The chosen columns in the order of the list. The first one is always shown. */
export function parseColumns(definition: Columns, text: string | undefined): readonly string[] {
  if (!text) return definition.standardColumns
  const keys = text.split(',')
  return inOrder(definition, (key, index) => index === 0 || keys.includes(key))
}

/** No columns stand for the standard ones. */
export function toStoredColumns(definition: Columns, keys: readonly string[]): string[] {
  const sorted = inOrder(definition, (key) => keys.includes(key))
  return sorted.join() === definition.standardColumns.join() ? [] : sorted
}

export const toColumns = <Row extends { id: string }>(
  { definition, sort, setSort }: { definition: ListDefinition<Row> } & Sorting,
  keys: readonly string[],
  options: ColumnOptions,
): Column<Row>[] =>
  keys.map((key) => {
    const { sort: first, render, ...column } = definition.columns[key]!
    return {
      ...column,
      key,
      label: definition.texts.columns[key]!,
      sort:
        first === undefined ? undefined : toColumnSort(first, { sort, setSort, standard: definition.search.sorts[0]! }),
      render: (row) => render(row, options),
    }
  })

const reverse = (sort: string): string => (sort.startsWith('-') ? sort.slice(1) : `-${sort}`)

function toColumnSort(
  first: string,
  { sort, setSort, standard }: Sorting & { standard: string },
): NonNullable<Column<unknown>['sort']> {
  const isSorted = sort === first || sort === reverse(first)
  const next = sort === first ? reverse(first) : sort === reverse(first) ? standard : first
  return { direction: isSorted ? (sort.startsWith('-') ? 'desc' : 'asc') : null, toggle: () => setSort(next) }
}
