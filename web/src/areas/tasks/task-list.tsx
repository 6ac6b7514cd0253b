import { type RefObject, useEffect, useRef, useState } from 'react'
import { useNow } from '../../patterns/use-now.ts'
import { useMe } from '../../session/me.ts'
import { openTaskTexts as texts } from '../../texts/en/open-task-texts.ts'
import { formatDateTime } from '../../ui/format.ts'
import { groupTasks, type TaskRow } from './join-tasks.ts'
import { permissionsOf, useCompleteTask, usePostponeTask } from './task-actions.ts'
import { TaskDialog, type TaskDialogKind } from './task-dialog.tsx'
import { TaskListRow } from './task-row.tsx'
import styles from './tasks.module.css'
import { useTaskCommands } from './use-task-commands.ts'

type OpenDialog = { kind: TaskDialogKind; row: TaskRow }

/** Open tasks in groups by the day on which they are due. */
export function TaskList({ rows }: { rows: readonly TaskRow[] }) {
  const me = useMe()
  const now = useNow()
  const list = useRef<HTMLDivElement>(null)
  const [dialog, setDialog] = useState<OpenDialog>()
  const complete = useCompleteTask()
  const postpone = usePostponeTask()
  const groups = groupTasks(rows, now)
  const shown = groups.flatMap(({ rows: ofGroup }) => ofGroup)
  const keepFocus = useKeptFocus(list, shown)

  const done = (row: TaskRow) => {
    keepFocus(row)
    if (row.cadence) setDialog({ kind: row.kind === 'email_manual' ? 'email' : 'done', row })
    else complete.mutate({ task: row.activity! })
  }
  const open = (kind: TaskDialogKind) => (row: TaskRow) => {
    keepFocus(row)
    setDialog({ kind, row })
  }
  const postponeTo = (row: TaskRow, dueAt: string) =>
    postpone.mutate({ task: row.activity!, dueAt, text: texts.postponed(formatDateTime(dueAt, me.locale)) })
  const actions = { done, doneWith: open('done'), skip: open('skip'), chooseTime: open('due'), postponeTo }
  useTaskCommands({ list, rows: shown, actions, permissionsOf: (row) => permissionsOf(me, row) })
  return (
    <div ref={list}>
      {groups.map(({ key, rows: ofGroup }) => (
        <section key={key} className={styles.group} aria-labelledby={`tasks-${key}`}>
          <h2 id={`tasks-${key}`} className={styles[key]}>
            {texts.groups[key]} <span className="number">{ofGroup.length}</span>
          </h2>
          <ul className={styles.list}>
            {ofGroup.map((row) => (
              <TaskListRow key={row.id} row={row} now={now} permissions={permissionsOf(me, row)} actions={actions} />
            ))}
          </ul>
        </section>
      ))}
      {dialog && (
        <TaskDialog
          kind={dialog.kind}
          row={dialog.row}
          complete={complete.mutate}
          postpone={postpone.mutate}
          close={() => setDialog(undefined)}
        />
      )}
    </div>
  )
}

/** After a task has left the list, the one at its place has the focus. */
function useKeptFocus(list: RefObject<HTMLElement | null>, rows: readonly TaskRow[]) {
  const place = useRef<{ id: string; at: number }>(undefined)
  const ids = rows.map(({ id }) => id).join()
  useEffect(() => {
    if (!place.current || rows.some(({ id }) => id === place.current!.id)) return
    const titles = list.current?.querySelectorAll<HTMLElement>('[data-task]')
    titles?.[Math.min(place.current.at, titles.length - 1)]?.focus()
    place.current = undefined
  }, [ids])
  return (row: TaskRow) => {
    place.current = { id: row.id, at: rows.indexOf(row) }
  }
}
