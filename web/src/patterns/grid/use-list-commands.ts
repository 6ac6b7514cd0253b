import { useState } from 'react'
import { type Command, useCommands } from '../../session/commands.ts'

type ListCommands = {
  rowCount: number
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

const group = 'List'

/** The keys of every list: the active row moves, opens, closes and is selected. */
export function useListCommands(options: ListCommands) {
  const { rowCount, open, openPage, close, isPanelOpen, isOpenRowGone, toggle, toggleRange } = options
  const [activeIndex, setActive] = useState(0)
  const move = (by: number) => {
    const step = isOpenRowGone && by > 0 ? 0 : by
    const next = Math.max(0, Math.min(rowCount - 1, activeIndex + step))
    setActive(next)
    if (isPanelOpen) open(next)
  }
  const commands: Command[] = [
    { id: 'list:next', label: 'Next row', group, keys: ['j', 'ArrowDown'], isListed: false, run: () => move(1) },
    { id: 'list:previous', label: 'Previous row', group, keys: ['k', 'ArrowUp'], isListed: false, run: () => move(-1) },
    { id: 'list:open', label: 'Open', group, keys: ['Enter'], isListed: false, run: () => open(activeIndex) },
    { id: 'list:close', label: 'Close', group, keys: ['Escape'], isListed: false, run: close },
  ]
  if (openPage)
    commands.push({
      id: 'list:page',
      label: 'Open as a page',
      group,
      keys: ['Shift+Enter'],
      isListed: false,
      run: () => openPage(activeIndex),
    })
  if (toggle)
    commands.push({
      id: 'list:select',
      label: 'Select',
      group,
      keys: ['x'],
      isListed: false,
      run: () => toggle(activeIndex),
    })
  if (toggleRange)
    commands.push({
      id: 'list:range',
      label: 'Select to here',
      group,
      keys: ['Shift+x'],
      isListed: false,
      run: () => toggleRange(activeIndex),
    })
  useCommands(commands)
  return { activeIndex, setActive, move }
}
