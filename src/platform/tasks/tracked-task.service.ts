import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import type { TaskOutcome } from './outcome.rules.ts'
import { endTask } from './run-task.service.ts'
import { isTaskOpen, type StartedTask, toStartedTask } from './task.ts'
import { findTaskState, insertTask, lockTask } from './tasks.queries.ts'

type TrackedTask = { kind: string; title: string; resource: { type: string; id: string } }

/** Opens a task without a job of its own. A dispatcher does the work, with that of other requests, and ends the task. */
export async function openTrackedTask(tx: TenantTx, { kind, title, resource }: TrackedTask): Promise<StartedTask> {
  const { type, userId } = actorOf(tx)
  const id = newId()
  await insertTask(tx, {
    ...{ id, kind, title: title.slice(0, 200), progress_total: 1, created_by: userId },
    created_via: type === 'user' || type === 'api_key' || type === 'impersonation' ? type : 'system',
    ...{ resource_type: resource.type, resource_id: resource.id },
  })
  return toStartedTask(id)
}

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
