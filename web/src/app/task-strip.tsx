import { useMutation } from '@tanstack/react-query'
import { CircleAlert, CircleCheck, LoaderCircle, X } from 'lucide-react'
import { useEffect } from 'react'
import { queryClient } from '../api/queries.ts'
import { useStore } from '../api/store.ts'
import { cancelTask, dismissTask, type FollowedTask, followedTasks, isFinished, restoreTasks } from '../api/tasks.ts'
import { downloadExport, hasFile } from '../patterns/export/export-api.ts'
import { kindOfTask } from '../patterns/list/bulk/bulk-kind.ts'
import { canUndoTask, describeUndo } from '../patterns/list/bulk/bulk-outcomes.ts'
import { undoTask } from '../patterns/list/bulk/bulk-tasks.ts'
import { showRepeatableProblem } from '../patterns/show-problem.ts'
import { useNow } from '../patterns/use-now.ts'
import { useCommands } from '../session/commands.ts'
import { useMe } from '../session/me.ts'
import { exportTexts } from '../texts/en/export-texts.ts'
import { stateTexts } from '../texts/en/state-texts.ts'
import { taskTexts } from '../texts/en/task-texts.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { formatNumber } from '../ui/format.ts'
import { countFailures, estimateLeft } from './task-figures.ts'
import styles from './task-strip.module.css'

/** The background tasks that the user started, below the page, until the user dismisses them. */
export function TaskStrip() {
  const tasks = useStore(followedTasks).filter(({ label }) => label)
  useEffect(restoreTasks, [])
  if (tasks.length === 0) return null
  return (
    <section className={styles.strip} aria-label={taskTexts.region}>
      <ul>
        {tasks.map((task) => (
          <TaskRow key={task.id} task={task} />
        ))}
      </ul>
    </section>
  )
}

function TaskRow({ task: { id, label = '', status } }: { task: FollowedTask }) {
  const { locale } = useMe()
  const now = useNow()
  const cancel = useMutation({
    mutationFn: () => cancelTask(id),
    onError: (error) => showRepeatableProblem(error, () => cancel.mutate()),
  })
  const hasEnded = isFinished(status)
  const kind = status && kindOfTask(status)
  useEffect(() => {
    if (kind && hasEnded) void queryClient.invalidateQueries({ queryKey: kind.queryKey })
  }, [kind, hasEnded])
  const canUndo = canUndoTask(status, now)
  const undo = () => kind && void undoTask(kind, id, locale)
  const isExported = status !== undefined && hasFile(status)
  const download = () => status && void downloadExport(status)
  const canCancel = !hasEnded && status?.cancellable === true && !cancel.isPending && !cancel.isSuccess
  useCommands([
    {
      id: `task:cancel:${id}`,
      label: taskTexts.cancelTask(label),
      group: taskTexts.group,
      isAvailable: canCancel,
      run: () => cancel.mutate(),
    },
    {
      id: `task:undo:${id}`,
      label: taskTexts.undoTask(label),
      group: taskTexts.group,
      isAvailable: canUndo,
      run: undo,
    },
    {
      id: `task:download:${id}`,
      label: exportTexts.downloadFile(label),
      group: taskTexts.group,
      isAvailable: isExported,
      run: download,
    },
    {
      id: `task:dismiss:${id}`,
      label: taskTexts.dismissTask(label),
      group: taskTexts.group,
      isAvailable: hasEnded,
      run: () => dismissTask(id),
    },
  ])
  return (
    <li className={styles.row}>
      <StateIcon status={status} />
      <b>{label}</b>
      {!hasEnded && <Progress label={label} status={status} />}
      <TaskText status={status} isCanceling={!hasEnded && cancel.isSuccess} />
      <span className={styles.actions}>
        {canCancel && (
          <Button size="small" aria-label={taskTexts.cancelTask(label)} onClick={() => cancel.mutate()}>
            {taskTexts.cancel}
          </Button>
        )}
        {isExported && (
          <Button size="small" aria-label={exportTexts.downloadFile(label)} onClick={download}>
            {exportTexts.download}
          </Button>
        )}
        {canUndo && (
          <Button size="small" aria-label={taskTexts.undoTask(label)} onClick={undo}>
            {taskTexts.undo}
          </Button>
        )}
        {hasEnded && (
          <IconButton
            size="small"
            label={taskTexts.dismissTask(label)}
            icon={<X size={14} />}
            onClick={() => dismissTask(id)}
          />
        )}
      </span>
    </li>
  )
}

type StatusProps = Pick<FollowedTask, 'status'>

function StateIcon({ status }: StatusProps) {
  if (!isFinished(status)) return <LoaderCircle size={16} className={styles.running} aria-hidden="true" />
  return status?.state === 'succeeded' && countFailures(status) === 0 ? (
    <CircleCheck size={16} className={styles.done} aria-hidden="true" />
  ) : (
    <CircleAlert size={16} className={styles.failed} aria-hidden="true" />
  )
}

const Progress = ({ label, status }: StatusProps & { label: string }) => {
  const total = status?.progress.total ?? undefined
  return (
    <progress
      className={styles.bar}
      aria-label={label}
      max={total}
      value={total === undefined ? undefined : status?.progress.done}
    />
  )
}

/** Says how far the task is. Screen readers are told when it has ended. */
function TaskText({ status, isCanceling }: StatusProps & { isCanceling: boolean }) {
  const { locale } = useMe()
  const now = useNow()
  if (!status) return <span className={styles.text}>{taskTexts.waiting}</span>
  const failures = countFailures(status)
  const failed = failures > 0 && (
    <span className={styles.failed}>{taskTexts.failures(formatNumber(failures, locale))}</span>
  )
  if (isFinished(status))
    return (
      <span className={styles.text} role="status">
        {status.state === 'succeeded' && (describeUndo(status, locale) ?? taskTexts.done)}
        {status.state === 'cancelled' && taskTexts.canceled}
        {status.state === 'failed' && taskTexts.stopped(status.error?.message ?? stateTexts.problem('unknown'))}
        {failed && ' · '}
        {failed}
      </span>
    )
  const { done, total } = status.progress
  const shownTotal = total === null ? null : formatNumber(total, locale)
  return (
    <span className={styles.text}>
      {status.state === 'queued' ? taskTexts.waiting : taskTexts.progress(formatNumber(done, locale), shownTotal)}
      <span className={styles.rest}>{isCanceling ? ` · ${taskTexts.canceling}` : estimateLeft(status, now)}</span>
      {failed && ' · '}
      {failed}
    </span>
  )
}
