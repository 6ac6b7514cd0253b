import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type JobContext, wakeAfterCommit } from '#platform/jobs'
import { emit, emitPrivately } from '#platform/outbox'
import { maxAttempts, stalledError, type TaskOutcome } from './outcome.rules.ts'
import type { TaskProgress } from './progress.ts'
import { isTaskOpen, type TaskError, taskTopic } from './task.ts'
import { TaskTakenOverError } from './task-run.ts'
import { taskCancelled, taskFailed, taskSucceeded } from './tasks.events.ts'
import {
  lockTask,
  markContinued,
  markFinished,
  markRequeued,
  markRunning,
  type TaskRun,
  updateProgress,
} from './tasks.queries.ts'

export type LockedTask = NonNullable<Awaited<ReturnType<typeof lockTask>>>

/** Claims the task for a new run, which invalidates earlier runs. Returns undefined if the task has finished. */
export async function claimTask(tx: TenantTx, id: string) {
  const task = await lockTask(tx, id)
  if (!task || !isTaskOpen(task.state)) return undefined
  if (task.cancel_requested_at) return await endTask(tx, task, { state: 'cancelled' })
  if (task.attempt >= maxAttempts) return await endTask(tx, task, { state: 'failed', error: errorOf(task) })

  const run = { id, run_id: newId() }
  await markRunning(tx, run)
  wakeAfterCommit(tx, taskTopic(id))
  return { ...run, attempt: task.attempt + 1, checkpoint: task.checkpoint }
}

/** Hands the task over to a new job. It stays `running`, and the new run does not count as an attempt. */
export async function continueTask(
  tx: TenantTx,
  job: Pick<JobContext, 'requeue'>,
  run: TaskRun,
  progress?: TaskProgress,
): Promise<void> {
  if (progress) await updateProgress(tx, run, progress.done, progress.total)
  if (!(await markContinued(tx, run, newId()))) throw new TaskTakenOverError()
  await job.requeue(tx)
}

export async function requeueTask(tx: TenantTx, run: TaskRun, error: TaskError | null): Promise<void> {
  await markRequeued(tx, run, error)
  wakeAfterCommit(tx, taskTopic(run.id))
}

export async function finishTask(
  tx: TenantTx,
  run: TaskRun,
  outcome: TaskOutcome,
  progress?: TaskProgress,
): Promise<boolean> {
  const task = await lockTask(tx, run.id)
  if (task?.run_id !== run.run_id) return false

  if (progress) await updateProgress(tx, run, progress.done, progress.total)
  await endTask(tx, task, outcome)
  return true
}

export async function failDeadLetteredTask(tx: TenantTx, id: string): Promise<void> {
  const task = await lockTask(tx, id)
  if (task && isTaskOpen(task.state)) await endTask(tx, task, { state: 'failed', error: errorOf(task) })
}

export async function endTask(tx: TenantTx, task: LockedTask, outcome: TaskOutcome): Promise<undefined> {
  await markFinished(tx, task.id, outcome)
  await emitTaskEnd(tx, task, outcome)
  wakeAfterCommit(tx, taskTopic(task.id))
}

/** Without a stored error the workers died. */
const errorOf = ({ error }: LockedTask): TaskError => (error as TaskError | null) ?? stalledError

function emitTaskEnd(tx: TenantTx, task: LockedTask, { state, error }: TaskOutcome): Promise<void> {
  const { id, kind, title, created_by, resource_type, resource_id, is_private } = task
  const data = { kind, title, created_by, resource_type, resource_id }
  const send = is_private ? emitPrivately : emit
  if (state === 'succeeded') return send(tx, taskSucceeded, { id }, data)
  if (state === 'cancelled') return send(tx, taskCancelled, { id }, data)
  return send(tx, taskFailed, { id }, { ...data, error_code: error?.code ?? 'internal_error' })
}
