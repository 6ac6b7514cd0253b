import { ArrowDown, ArrowUp } from 'lucide-react'
import { type ReactNode, useEffect, useId, useMemo, useRef } from 'react'
import { useStore } from '../../api/store.ts'
import { preferences } from '../../session/preferences.ts'
import { listTexts } from '../../texts/en/list-texts.ts'
import { useNarrow } from '../use-narrow.ts'
import styles from './data-grid.module.css'
import type { Column, Selection } from './grid-model.ts'
import { GridRow } from './grid-row.tsx'
import { slotRows } from './row-window.ts'
import type { ListCursor } from './use-list-commands.ts'
import { useListPlace } from './use-list-place.ts'
import { useRowWindow } from './use-row-window.ts'

export type DataGridProps<Row extends { id: string }> = {
  label: string
  columns: readonly Column<Row>[]
  rowCount: number
  getRow: (index: number) => Row | undefined
  /** Shown by a narrow screen instead of the columns. */
  renderCard: (row: Row) => ReactNode
  nameOf: (row: Row) => string
  cursor: ListCursor
  openId?: string
  selection?: Selection
  open: (row: Row) => void
  showRows: (first: number, end: number) => void
}

const rowHeights = { compact: 32, normal: 40, comfortable: 48 }
const cardHeight = 68
const headerHeight = 34

/** A list of any length: only the rows in view are elements of the page. */
export function DataGrid<Row extends { id: string }>(props: DataGridProps<Row>) {
  const { label, rowCount, getRow, cursor, openId, selection, open, showRows } = props
  const container = useRef<HTMLDivElement>(null)
  const gridId = useId()
  const wasOpen = useRef(false)
  const { index: activeIndex, viewRows } = cursor
  const isNarrow = useNarrow()
  const { density } = useStore(preferences)
  const isCoarse = matchMedia('(pointer: coarse)').matches
  const rowHeight = isNarrow ? cardHeight : isCoarse ? rowHeights.comfortable : rowHeights[density]
  const rows = useRowWindow(container, { rowCount, rowHeight, headerHeight: isNarrow ? 0 : headerHeight })
  const { base, first, end, slots, height, viewHeight, viewWidth } = rows
  const columns = useFittingColumns(props.columns, viewWidth)
  const template = [...(selection ? ['44px'] : []), ...columns.map(({ width }) => width)].join(' ')

  useEffect(() => showRows(first, end), [showRows, first, end])
  useListPlace({ cursor, rows, rowCount, getRow })
  useEffect(() => {
    viewRows.current = Math.max(1, Math.floor((viewHeight - headerHeight) / rowHeight))
  }, [viewRows, viewHeight, rowHeight])
  useEffect(() => {
    if (wasOpen.current && !openId && document.activeElement === document.body) container.current?.focus()
    wasOpen.current = openId !== undefined
  }, [openId])

  return (
    // biome-ignore lint/a11y/useSemanticElements: a table cannot have rows that are out of view
    <div
      role="grid"
      aria-label={label}
      aria-rowcount={rowCount}
      aria-colcount={columns.length}
      aria-activedescendant={activeIndex >= first && activeIndex < end ? `${gridId}-${activeIndex}` : undefined}
      tabIndex={0}
      className={styles.grid}
      ref={container}
      style={{ '--columns': template } as React.CSSProperties}
    >
      {!isNarrow && <HeaderRow columns={columns} selection={selection} />}
      {/* biome-ignore lint/a11y/useSemanticElements: see above */}
      <div role="rowgroup" className={styles.rows} style={{ height }}>
        {slotRows({ first, end, slots }).map((index, slot) => {
          if (index === undefined) return null
          const row = getRow(index)
          return (
            <GridRow
              key={slot}
              id={`${gridId}-${index}`}
              index={index}
              top={(index - base) * rowHeight}
              height={rowHeight}
              row={row}
              columns={columns}
              isNarrow={isNarrow}
              isActive={index === activeIndex}
              isOpen={row !== undefined && row.id === openId}
              isSelected={row !== undefined && selection?.has(row.id) === true}
              selection={selection}
              renderCard={props.renderCard}
              nameOf={props.nameOf}
              setActive={cursor.set}
              open={open}
            />
          )
        })}
      </div>
    </div>
  )
}

function useFittingColumns<Row>(columns: readonly Column<Row>[], width: number): readonly Column<Row>[] {
  const fitting = columns.filter(({ minListWidth = 0 }) => width >= minListWidth)
  const keys = fitting.map(({ key }) => key).join()
  // The rows render again only if the columns change, not with every pixel.
  return useMemo(() => fitting, [columns, keys])
}

function HeaderRow<Row>({ columns, selection }: { columns: readonly Column<Row>[]; selection?: Selection }) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div role="row" className={`${styles.row} ${styles.header}`}>
      {selection && (
        // biome-ignore lint/a11y/useSemanticElements: part of the grid
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
        <div role="columnheader" className={styles.cell}>
          <input
            type="checkbox"
            aria-label={listTexts.selectAll}
            tabIndex={-1}
            className={styles.check}
            checked={selection.isAll}
            ref={(box) => {
              if (box) box.indeterminate = selection.isSome === true && !selection.isAll
            }}
            onChange={selection.toggleAll}
          />
        </div>
      )}
      {columns.map(({ key, label, align, sort }) => (
        // biome-ignore lint/a11y/useSemanticElements: part of the grid
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
        <div
          key={key}
          role="columnheader"
          className={`${styles.cell} ${align ? styles.end : ''}`}
          aria-sort={sort?.direction ? (sort.direction === 'asc' ? 'ascending' : 'descending') : undefined}
        >
          {sort ? (
            <button type="button" className={styles.sort} onClick={sort.toggle}>
              {label}
              {sort.direction === 'asc' && <ArrowUp size={12} />}
              {sort.direction === 'desc' && <ArrowDown size={12} />}
            </button>
          ) : (
            label
          )}
        </div>
      ))}
    </div>
  )
}
