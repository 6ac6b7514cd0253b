import { memo, type ReactNode } from 'react'
import { listTexts } from '../../texts/en/list-texts.ts'
import styles from './data-grid.module.css'
import type { Column, Selection } from './grid-model.ts'

type GridRowProps<Row extends { id: string }> = {
  id: string
  index: number
  top: number
  height: number
  row: Row | undefined
  columns: readonly Column<Row>[]
  isNarrow: boolean
  isActive: boolean
  isOpen: boolean
  isSelected: boolean
  selection?: Selection
  renderCard: (row: Row) => ReactNode
  nameOf: (row: Row) => string
  setActive: (index: number) => void
  open: (row: Row) => void
}

/** Renders again only if its own values change, because scrolling renders the whole list. */
export const GridRow = memo(renderRow, isSameRow) as typeof renderRow

function renderRow<Row extends { id: string }>(props: GridRowProps<Row>) {
  const { id, index, top, height, row, columns, isNarrow, isActive, isOpen, isSelected, selection, nameOf } = props
  const classes = [styles.row, isOpen && styles.open, isActive && styles.active, isSelected && styles.selected]
  const openRow = () => {
    props.setActive(index)
    if (row) props.open(row)
  }
  return (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    // biome-ignore lint/a11y/useKeyWithClickEvents: Enter is a command of the list
    <div
      role="row"
      id={id}
      aria-rowindex={index + 1}
      aria-selected={selection ? isSelected : undefined}
      className={classes.filter(Boolean).join(' ')}
      style={{ transform: `translateY(${top}px)`, height }}
      onClick={openRow}
    >
      {selection && (
        // biome-ignore lint/a11y/useSemanticElements: part of the grid
        // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
        // biome-ignore lint/a11y/useKeyWithClickEvents: x is a command of the list
        <div
          role="gridcell"
          className={isNarrow ? styles.cardSelect : styles.cell}
          onClick={(event) => event.stopPropagation()}
        >
          {row && (
            <input
              type="checkbox"
              aria-label={listTexts.selectRow(nameOf(row))}
              tabIndex={-1}
              className={isNarrow ? styles.cardCheck : styles.check}
              checked={isSelected}
              onChange={() => selection.toggle(index)}
            />
          )}
        </div>
      )}
      {renderCells(row, columns, isNarrow ? props.renderCard : undefined)}
    </div>
  )
}

function renderCells<Row>(
  row: Row | undefined,
  columns: readonly Column<Row>[],
  renderCard: ((row: Row) => ReactNode) | undefined,
) {
  if (renderCard)
    return (
      // biome-ignore lint/a11y/useSemanticElements: part of the grid
      // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
      <div role="gridcell" className={styles.card}>
        {row && renderCard(row)}
      </div>
    )
  return columns.map(({ key, align, render }) => (
    // biome-ignore lint/a11y/useSemanticElements: part of the grid
    // biome-ignore lint/a11y/useFocusableInteractive: the grid has the focus
    <div key={key} role="gridcell" className={`${styles.cell} ${align ? styles.end : ''}`}>
      {row ? render(row) : <span className={styles.bone} />}
    </div>
  ))
}

const comparedKeys = [
  'id',
  'index',
  'top',
  'height',
  'row',
  'columns',
  'isNarrow',
  'isActive',
  'isOpen',
  'isSelected',
  'selection',
] as const

function isSameRow<Row extends { id: string }>(before: GridRowProps<Row>, after: GridRowProps<Row>): boolean {
  return comparedKeys.every((key) => before[key] === after[key])
}
