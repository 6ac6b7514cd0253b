import { type ReactNode, useMemo } from 'react'
import { DataGrid } from '../grid/data-grid.tsx'
import type { Selection } from '../grid/grid-model.ts'
import type { ListCursor } from '../grid/use-list-commands.ts'
import { ProblemState, Skeleton } from '../states.tsx'
import type { EmptySlot } from './empty-list.tsx'
import { FilterChips } from './filter-bar.tsx'
import { labelOfChoice, useChoices } from './filter-values.tsx'
import { toColumns } from './list-columns.ts'
import type { List } from './use-list.ts'

type ListGridProps<Row extends { id: string }, Query extends object> = {
  list: List<Row, Query>
  cursor: ListCursor
  selection: Selection | undefined
  create: (() => void) | undefined
  openRow: (row: Row) => void
  renderCard: (row: Row) => ReactNode
  renderEmpty: (slot: EmptySlot) => ReactNode
}

export function ListGrid<Row extends { id: string }, Query extends object>(props: ListGridProps<Row, Query>) {
  const { list, create } = props
  const { definition, me, search, pages, sort, setSort, now, columns: keys } = list
  const choicesOf = useChoices(
    definition,
    keys.flatMap((key) => definition.columns[key]!.labels ?? []),
  )
  const columns = useMemo(
    () =>
      toColumns({ definition, sort, setSort }, keys, {
        now,
        locale: me.locale,
        labelOf: (filter, value) => labelOfChoice(choicesOf(filter), value),
      }),
    [keys.join(), now, me.locale, sort, setSort, choicesOf],
  )
  if (pages.error) return <ProblemState error={pages.error} part={definition.texts.list} retry={pages.retry} />
  if (pages.isPending || !list.isKnown) return <Skeleton rows={16} />
  if (pages.rowCount === 0) return props.renderEmpty({ list: list, create, chips: <FilterChips list={list} /> })
  return (
    <DataGrid
      key={list.name}
      label={definition.texts.list}
      columns={columns}
      rowCount={pages.rowCount}
      getRow={pages.getRow}
      renderCard={props.renderCard}
      nameOf={definition.nameOf}
      cursor={props.cursor}
      openId={search.open}
      selection={props.selection}
      open={props.openRow}
      showRows={pages.showRows}
    />
  )
}
