import { type RefObject, useCallback, useRef, useState } from 'react'
import { type Command, useCommands } from '../../session/commands.ts'
import { listTexts as texts } from '../../texts/en/list-texts.ts'
import { showRepeatableProblem } from '../show-problem.ts'
import { type ActiveRow, followActiveRow, type ListRows, moveRow, type RowMove } from './active-row.ts'
import { readListPlace } from './list-place.ts'

type ListCommands = {
  rows: ListRows & { isExact: boolean; count: () => Promise<number> }
  /** Opens the active row in the panel, or as a page. */
  open: (index: number) => void
  openPage?: (index: number) => void
  /** Closes the panel, or clears the selection if no panel is open. */
  close: () => void
  isPanelOpen: boolean
  /** The open record is not in the list anymore, so that the active row has taken its place. */
  isOpenRowGone?: boolean
  toggle?: (index: number) => void
  toggleRange?: (index: number) => void
}

export type ListCursor = {
  name: string
  index: number
  id?: string
  set: (index: number) => void
  /** The number of moves; each of them scrolls to the active row. */
  moves: number
  viewRows: RefObject<number>
}

/** The keys of every list: the active row moves, opens, closes and is selected. */
export function useListCommands(options: ListCommands): ListCursor {
  const { rows, open, openPage, close, isPanelOpen, isOpenRowGone, toggle, toggleRange } = options
  const [stored, store] = useState<ActiveRow>({ name: '', index: 0 })
  const [moves, setMoves] = useState(0)
  const viewRows = useRef(1)
  const active = followActiveRow(stored, rows, stored.name === rows.name ? undefined : readListPlace(rows.name)?.active)
  if (active !== stored) store(active)
  const { name, index, id } = active
  const shown = useRef(rows)
  shown.current = rows

  const set = useCallback((next: number) => {
    const { name, getRow } = shown.current
    store({ name, index: next, id: getRow(next)?.id })
    setMoves((before) => before + 1)
  }, [])
  const move = (by: RowMove) => {
    const next = isOpenRowGone && by === 'next' ? index : moveRow(index, by, { ...rows, viewRows: viewRows.current })
    set(next)
    if (isPanelOpen) open(next)
  }
  const goToLast = async () => {
    const { name } = rows
    const count = rows.isExact ? rows.rowCount : await rows.count()
    if (shown.current.name === name) set(Math.max(0, count - 1))
  }
  const command = (id: string, label: string, keys: readonly string[], run: () => void): Command => ({
    id: `list:${id}`,
    label,
    group: texts.group,
    keys,
    isListed: false,
    run,
  })
  const report = (run: () => Promise<unknown>): void =>
    void run().catch((error) => showRepeatableProblem(error, () => report(run)))
  // An open panel is scrolled by these keys.
  const jump = (id: RowMove, key: string, run = () => move(id)): Command => ({
    ...command(id, texts[id], [key], run),
    isAvailable: !isPanelOpen,
  })
  useCommands([
    command('next', texts.next, ['j', 'ArrowDown'], () => move('next')),
    command('previous', texts.previous, ['k', 'ArrowUp'], () => move('previous')),
    jump('pageDown', 'PageDown'),
    jump('pageUp', 'PageUp'),
    jump('first', 'Home'),
    jump('last', 'End', () => report(goToLast)),
    command('open', texts.open, ['Enter'], () => open(index)),
    command('close', texts.close, ['Escape'], close),
    ...(openPage ? [command('page', texts.openPage, ['Shift+Enter'], () => openPage(index))] : []),
    ...(toggle ? [command('select', texts.select, ['x'], () => toggle(index))] : []),
    ...(toggleRange ? [command('range', texts.selectRange, ['Shift+x'], () => toggleRange(index))] : []),
    {
      id: 'list:count',
      label: texts.countAll,
      group: texts.group,
      isAvailable: !rows.isExact,
      run: () => report(rows.count),
    },
  ])
  return { name, index, id, set, moves, viewRows }
}
