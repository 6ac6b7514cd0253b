import { useQuery } from '@tanstack/react-query'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { api, read, type Schemas } from '../api/client.ts'
import { taskTexts } from '../texts/en/task-texts.ts'
import { formatNumber } from '../ui/format.ts'
import styles from './task-progress.module.css'

export type Task = Schemas['TaskStatus']

const pollMs = 1_000

export const isFinished = (task: Task | undefined): boolean =>
  task !== undefined && task.state !== 'queued' && task.state !== 'running'

/** Follows a background task until it has finished. */
export const useTaskStatus = (taskId: string | undefined) =>
  useQuery({
    queryKey: ['tasks', taskId],
    enabled: taskId !== undefined,
    queryFn: ({ signal }) =>
      read(api.GET('/api/tasks/{task_id}/status', { params: { path: { task_id: taskId! } }, signal })),
    refetchInterval: ({ state: { data } }) => (isFinished(data) ? false : pollMs),
    refetchIntervalInBackground: true,
    staleTime: 0,
  })

/** The progress of a task. The text of the result replaces the bar. */
export function TaskProgress({
  label,
  task,
  locale,
  result,
}: {
  label: string
  task: Task | undefined
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
