import { type ReactNode, useEffect, useRef } from 'react'
import { useCommands } from '../../session/commands.ts'
import { useListCommands } from '../grid/use-list-commands.ts'
import { useSelection } from '../grid/use-selection.ts'
import { PageBar } from '../page-header.tsx'
import { useNarrow, useSmall } from '../use-narrow.ts'
import type { EmptySlot } from './empty-list.tsx'
import { FilterBar } from './filter-bar.tsx'
import styles from './list.module.css'
import { ListFoot } from './list-foot.tsx'
import { ListGrid } from './list-grid.tsx'
import { ListHeader, type ListHeaderProps } from './list-header.tsx'
import { sortCommands } from './list-sorts.ts'
import type { List } from './use-list.ts'

export type ListSlot<Row> = {
  chosen: ReturnType<typeof useSelection<Row & { id: string }>>
  /** The row that keys act on; undefined while a record is open or rows are selected. */
  activeRow: Row | undefined
  openIndex: number
  openAt: (index: number) => void
}

type ListPageProps<Row extends { id: string }, Query extends object> = Omit<ListHeaderProps, 'list'> & {
  list: List<Row, Query>
  figures?: ReactNode
  renderCard: (row: Row) => ReactNode
  renderEmpty: (slot: EmptySlot) => ReactNode
  /** Shows the record of a row. The default opens it beside the list. */
  openRow?: (row: Row) => void
  openPage?: (row: Row) => void
  hints?: ReactNode
  /** The actions of the selected rows. Without them rows cannot be selected. */
  renderBulk?: (slot: ListSlot<Row>) => ReactNode
  renderPanel?: (slot: ListSlot<Row>) => ReactNode
  renderCommands?: (slot: ListSlot<Row>) => ReactNode
}

/** A list with views, filters, columns and keys. What only one list has is passed to it. */
export function ListPage<Row extends { id: string }, Query extends object>(props: ListPageProps<Row, Query>) {
  const { list, counts, create, actions, figures, openPage, renderBulk } = props
  const { definition, search, pages } = list
  const { name, texts } = definition
  const isNarrow = useNarrow()
  const isOpen = search.open !== undefined
  // On a small screen the panel covers the list.
  const isCovered = useSmall() && isOpen
  const searchField = useRef<HTMLInputElement>(null)
  const chosen = useSelection({ name: list.name, getRow: pages.getRow, loaded: pages.loaded })
  const openRow = props.openRow ?? ((row: Row) => list.open(row.id))

  const withRow = (show: (row: Row) => void) => (index: number) => {
    const row = pages.getRow(index)
    if (row) show(row)
  }
  const openAt = withRow(openRow)
  const openIndex = search.open ? pages.findIndex(search.open) : -1
  const cursor = useListCommands({
    rows: pages,
    open: openAt,
    openPage: openPage && withRow(openPage),
    close: () => (isOpen ? list.close() : chosen.clear()),
    isPanelOpen: isOpen,
    isOpenRowGone: isOpen && openIndex < 0,
    ...(renderBulk && { toggle: chosen.toggle, toggleRange: chosen.toggleRange }),
  })
  useEffect(() => {
    if (openIndex >= 0) cursor.set(openIndex)
  }, [openIndex, cursor.set])
  const command = (id: string, label: string, key: string, run: (() => void) | undefined) => ({
    id: `${name}:${id}`,
    label,
    group: texts.title,
    keys: [key],
    isAvailable: run !== undefined,
    run: () => run?.(),
  })
  useCommands([
    command('create', texts.create, 'c', create),
    command('search', texts.search, '/', () => searchField.current?.focus()),
    command('all', texts.selectAll, 'Mod+a', renderBulk && chosen.selectLoaded),
    ...sortCommands(list),
  ])
  const activeRow = isOpen || chosen.count > 0 ? undefined : pages.getRow(cursor.index)
  const slot: ListSlot<Row> = { chosen, activeRow, openIndex, openAt }
  return (
    <>
      <ListHeader list={list} {...{ counts, create, actions }} />
      {(!isNarrow || figures) && (
        <PageBar>
          {!isNarrow && <FilterBar list={list} searchField={searchField} />}
          {figures}
        </PageBar>
      )}
      <div className={`${styles.split} ${isOpen && props.renderPanel ? styles.withPanel : ''}`}>
        <div className={`${styles.list} ${pages.isRefreshing ? styles.refreshing : ''}`} inert={isCovered}>
          <ListGrid
            list={list}
            cursor={cursor}
            selection={renderBulk && chosen.selection}
            openRow={openRow}
            create={create}
            renderCard={props.renderCard}
            renderEmpty={props.renderEmpty}
          />
          {pages.rowCount > 0 && <ListFoot list={list} activeIndex={cursor.index} hints={props.hints} />}
          {renderBulk?.(slot)}
        </div>
        {props.renderPanel?.(slot)}
      </div>
      {props.renderCommands?.(slot)}
    </>
  )
}
