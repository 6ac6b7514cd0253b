import type { RefObject } from 'react'
import { useCommands } from '../../session/commands.ts'
import { openTaskTexts as texts } from '../../texts/en/open-task-texts.ts'
import { tomorrow } from './due-times.ts'
import type { TaskRow } from './join-tasks.ts'
import type { permissionsOf } from './task-actions.ts'
import type { TaskActions } from './task-row.tsx'

type CommandOptions = {
  list: RefObject<HTMLElement | null>
  rows: readonly TaskRow[]
  actions: TaskActions
  permissionsOf: (row: TaskRow) => ReturnType<typeof permissionsOf>
}

/** Moves the focus through the tasks by keys, and acts on the task that has it. */
export function useTaskCommands({ list, rows, actions, permissionsOf: mayDo }: CommandOptions): void {
  const titles = () => [...(list.current?.querySelectorAll<HTMLElement>('[data-task]') ?? [])]
  const focused = () => titles().findIndex((title) => title.closest('li')?.contains(document.activeElement))
  const move = (by: number) => {
    const all = titles()
    all[Math.max(0, Math.min(all.length - 1, focused() + by))]?.focus()
  }
  const group = texts.group
  const onFocused = (permission: keyof ReturnType<typeof permissionsOf>, run: (row: TaskRow) => void) => () => {
    const row = rows[focused()]
    if (row && mayDo(row)[permission]) run(row)
  }
  const hidden = { group, isListed: false }
  useCommands([
    { id: 'list:next', label: texts.next, keys: ['j'], run: () => move(1), ...hidden },
    { id: 'list:previous', label: texts.previous, keys: ['k'], run: () => move(-1), ...hidden },
    { id: 'tasks:done', label: texts.done, keys: ['e'], run: onFocused('complete', actions.done), ...hidden },
    {
      id: 'tasks:tomorrow',
      label: texts.tomorrow,
      keys: ['s'],
      run: onFocused('postpone', (row) => actions.postponeTo(row, tomorrow(Date.now()))),
      ...hidden,
    },
    {
      id: 'tasks:time',
      label: texts.otherTime,
      keys: ['Shift+s'],
      run: onFocused('postpone', actions.chooseTime),
      ...hidden,
    },
    { id: 'tasks:skip', label: texts.skip, keys: ['u'], run: onFocused('skip', actions.skip), ...hidden },
  ])
}
