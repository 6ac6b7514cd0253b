import { CircleAlert, CircleCheck } from 'lucide-react'
import { isFinished, type TaskStatus } from '../api/tasks.ts'
import { taskTexts } from '../texts/en/task-texts.ts'
import { formatNumber } from '../ui/format.ts'
import styles from './task-progress.module.css'

/** The progress of a task. The text of the result replaces the bar. */
export function TaskProgress({
  label,
  task,
  locale,
  result,
}: {
  label: string
  task: TaskStatus | undefined
  locale: string
  result?: string
}) {
  if (task?.state === 'succeeded')
    return (
      <p className={`${styles.result} ${styles.done}`} role="status">
        <CircleCheck size={16} />
        {result ?? taskTexts.done}
      </p>
    )
  if (task && isFinished(task))
    return (
      <p className={`${styles.result} ${styles.failed}`} role="alert">
        <CircleAlert size={16} />
        {task.error?.message ?? taskTexts.canceled}
      </p>
    )
  const { done = 0, total = null } = task?.progress ?? {}
  const shownTotal = total === null ? null : formatNumber(total, locale)
  return (
    <div className={styles.progress} role="status">
      <span>{label}</span>
      <span className={styles.count}>{taskTexts.progress(formatNumber(done, locale), shownTotal)}</span>
      <progress
        aria-label={label}
        max={total ?? undefined}
        value={total === null ? undefined : done}
        className={styles.bar}
      />
    </div>
  )
}
