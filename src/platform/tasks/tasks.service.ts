import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { wakeAfterCommit } from '#platform/jobs'
import type { TaskOutcome } from './outcome.rules.ts'
import { getTask } from './read-tasks.queries.ts'
import { endTask, type LockedTask } from './run-task.service.ts'
import { createTask, type TaskOptions } from './start-task.ts'
import { isTaskOpen, type StartedTask, type Task, taskTopic } from './task.ts'
import type { TaskStatus } from './task-status.ts'
import { findTaskState, lockOpenTasks, lockTask, requestCancellation } from './tasks.queries.ts'

/** Cancels a waiting task immediately and a running one after its current batch. Idempotent. */
export async function cancelTask(tx: TenantTx, actor: UserActor, id: string): Promise<TaskStatus> {
  await getTask(tx, actor, id)
  const task = await lockTask(tx, id)
  if (!task) throw notFound('task')
  if (!isTaskOpen(task.state))
    throw conflict('task_finished', 'This task has already finished and cannot be cancelled.')

  if (!task.cancel_requested_at) await cancelLockedTask(tx, task)
  return (await getTask(tx, actor, id)).status
}

/** For callers that have checked the access to the record of the task. Returns true if the task has ended and will not run again. */
export async function cancelTaskOfRecord(tx: TenantTx, id: string): Promise<boolean> {
  const task = await lockTask(tx, id)
  if (!task || !isTaskOpen(task.state)) return true
  if (!task.cancel_requested_at) await cancelLockedTask(tx, task)
  return task.state === 'queued'
}

export async function supersedeTasks(tx: TenantTx, { kind }: Task): Promise<void> {
  for (const task of await lockOpenTasks(tx, kind)) if (!task.cancel_requested_at) await cancelLockedTask(tx, task)
}

async function cancelLockedTask(tx: TenantTx, task: LockedTask): Promise<void> {
  const { id, title, state, is_private } = task
  if (state === 'queued') await endTask(tx, task, { state: 'cancelled' })
  else await requestCancellation(tx, id)
  if (!is_private)
    await recordAudit(tx, 'task.cancelled', { id, label: title, before: { state }, after: { state: 'cancelled' } })
  wakeAfterCommit(tx, taskTopic(id))
}

/** Opens a task without a job of its own. A dispatcher does the work, with that of other requests, and ends the task. */
export const openTrackedTask = (
  tx: TenantTx,
  kind: string,
  { title, resource }: Required<Pick<TaskOptions, 'title' | 'resource'>>,
): Promise<StartedTask> => createTask(tx, kind, { title, resource, total: 1 })

/** False if a user has cancelled the task. */
export async function isTrackedTaskOpen(tx: TenantTx, id: string): Promise<boolean> {
  const state = await findTaskState(tx, id)
  return state !== undefined && isTaskOpen(state)
}

type TrackedOutcome = { result: object; error?: { code: string; message: string } }

export async function endTrackedTask(tx: TenantTx, id: string, { result, error }: TrackedOutcome): Promise<void> {
  const task = await lockTask(tx, id)
  if (!task || !isTaskOpen(task.state)) return
  const outcome: TaskOutcome = { state: error ? 'failed' : 'succeeded', result: JSON.stringify(result), error }
  await endTask(tx, task, outcome)
}
