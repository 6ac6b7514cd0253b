import type { TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { wakeAfterCommit } from '#platform/jobs'
import { emit } from '#platform/outbox'
import { maxAttempts, type Outcome, stalled } from './outcome.rules.ts'
import type { Progress } from './progress.ts'
import { isOpen, type TaskError, topicOf } from './task.ts'
import { taskCancelled, taskFailed, taskSucceeded } from './tasks.events.ts'
import { lockTask, markFinished, markQueuedAgain, markRunning, type Run, writeProgress } from './tasks.queries.ts'

export type LockedTask = NonNullable<Awaited<ReturnType<typeof lockTask>>>

/** Undefined when there is nothing left to do. Whoever begins has the task from now on, and nobody else. */
export async function beginTask(tx: TenantTx, id: string) {
  const task = await lockTask(tx, id)
  if (!task || !isOpen(task.state)) return undefined
  if (task.cancel_requested_at) return await endTask(tx, task, { state: 'cancelled' })
  if (task.attempt >= maxAttempts) return await endTask(tx, task, { state: 'failed', error: errorOf(task) })

  const run = { id, run_id: newId() }
  await markRunning(tx, run)
  wakeAfterCommit(tx, topicOf(id))
  return { ...run, attempt: task.attempt + 1, checkpoint: task.checkpoint }
}

export async function requeueTask(tx: TenantTx, run: Run, error: TaskError | null): Promise<void> {
  await markQueuedAgain(tx, run, error)
  wakeAfterCommit(tx, topicOf(run.id))
}

/** False when another worker has taken over. */
export async function finishTask(tx: TenantTx, run: Run, outcome: Outcome, progress?: Progress): Promise<boolean> {
  const task = await lockTask(tx, run.id)
  if (task?.run_id !== run.run_id) return false

  if (progress) await writeProgress(tx, run, progress.done, progress.total)
  await endTask(tx, task, outcome)
  return true
}

/** The queue has given up the job, so nobody will work on the task again. */
export async function giveUpTask(tx: TenantTx, id: string): Promise<void> {
  const task = await lockTask(tx, id)
  if (task && isOpen(task.state)) await endTask(tx, task, { state: 'failed', error: errorOf(task) })
}

export async function endTask(tx: TenantTx, task: LockedTask, outcome: Outcome): Promise<undefined> {
  await markFinished(tx, task.id, outcome)
  await announce(tx, task, outcome)
  wakeAfterCommit(tx, topicOf(task.id))
}

/** Without a failure to show, its workers died. */
const errorOf = ({ error }: LockedTask): TaskError => (error as TaskError | null) ?? stalled

function announce(tx: TenantTx, task: LockedTask, { state, error }: Outcome): Promise<void> {
  const { id, kind, title, created_by, resource_type, resource_id } = task
  const about = { kind, title, created_by, resource_type, resource_id }
  if (state === 'succeeded') return emit(tx, taskSucceeded, { id }, about)
  if (state === 'cancelled') return emit(tx, taskCancelled, { id }, about)
  return emit(tx, taskFailed, { id }, { ...about, error_code: error?.code ?? 'internal_error' })
}
