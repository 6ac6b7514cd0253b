import type { TenantTx } from '#platform/db'
import type { TaskOutcome } from './outcome.rules.ts'
import { endTask } from './run-task.service.ts'
import { createTask, type TaskOptions } from './start-task.ts'
import { isTaskOpen, type StartedTask } from './task.ts'
import { findTaskState, lockTask } from './tasks.queries.ts'

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
