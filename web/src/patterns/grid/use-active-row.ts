import { useEffect, useState } from 'react'
import { type Command, useCommands } from '../../app/commands.ts'
import { listTexts } from '../../texts/en/list-texts.ts'

type ActiveRowOptions<Row> = {
  /** Another list begins with its first row. */
  listName: string
  rowCount: number
  getRow: (index: number) => Row | undefined
  openId: string | undefined
  open: (row: Row) => void
  close: () => void
  search: () => void
}

/** The row that the keys of a list act on. With an open record, moving opens the next one. */
export function useActiveRow<Row extends { id: string }>(options: ActiveRowOptions<Row>) {
  const { listName, rowCount, getRow, openId, open, close, search } = options
  const [active, setActiveRow] = useState({ listName, index: 0 })
  const activeIndex = active.listName === listName ? Math.min(active.index, Math.max(0, rowCount - 1)) : 0
  const setActive = (index: number) => setActiveRow({ listName, index })
  const openIndex = openId === undefined ? -1 : findIndex(openId, activeIndex, rowCount, getRow)
  useEffect(() => {
    if (openIndex >= 0) setActive(openIndex)
  }, [openIndex])

  const openAt = (index: number) => {
    const row = getRow(index)
    if (row) open(row)
  }
  const move = (by: number) => {
    const next = Math.max(0, Math.min(rowCount - 1, activeIndex + by))
    setActive(next)
    if (openId !== undefined) openAt(next)
  }
  useCommands([
    command('next', listTexts.next, ['j', 'ArrowDown'], () => move(1)),
    command('previous', listTexts.previous, ['k', 'ArrowUp'], () => move(-1)),
    command('open', listTexts.open, ['Enter'], () => openAt(activeIndex), rowCount > 0),
    command('close', listTexts.close, ['Escape'], close, openId !== undefined),
    { ...command('search', listTexts.search, ['/'], search), isListed: true },
  ])
  const position = openIndex >= 0 ? listTexts.position(openIndex + 1, rowCount) : ''
  return { activeIndex, setActive, move, position }
}

const command = (id: string, label: string, keys: string[], run: () => void, isAvailable = true): Command => ({
  id: `list:${id}`,
  label,
  group: listTexts.group,
  keys,
  isListed: false,
  isAvailable,
  run,
})

const searchedRows = 300

/** Looks near the active row first, because the opened record is nearly always there. */
function findIndex<Row extends { id: string }>(
  id: string,
  near: number,
  rowCount: number,
  getRow: (index: number) => Row | undefined,
): number {
  for (let distance = 0; distance < searchedRows; distance += 1)
    for (const index of [near + distance, near - distance])
      if (index >= 0 && index < rowCount && getRow(index)?.id === id) return index
  return -1
}
