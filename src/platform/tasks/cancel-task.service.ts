import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { wakeAfterCommit } from '#platform/jobs'
import { getTask } from './read-tasks.queries.ts'
import { endTask, type LockedTask } from './run-task.service.ts'
import { isOpen, type Task, topicOf } from './task.ts'
import type { TaskStatus } from './task-status.ts'
import { askToStop, lockOpenTasks, lockTask } from './tasks.queries.ts'

/** A task that waits ends at once, a running one after the batch at hand. Asking twice is the same as asking once. */
export async function cancelTask(tx: TenantTx, actor: SignedIn, id: string): Promise<TaskStatus> {
  await getTask(tx, actor, id)
  const task = await lockTask(tx, id)
  if (!task) throw notFound('task')
  if (!isOpen(task.state))
    throw conflict('task_finished', 'This task has ended already; there is nothing left to cancel.')

  if (!task.cancel_requested_at) await stopTask(tx, task)
  return (await getTask(tx, actor, id)).status
}

/** Stops whatever is under way of a kind, whoever started it, because something newer takes its place. */
export async function supersedeTasks(tx: TenantTx, { kind }: Task): Promise<void> {
  for (const task of await lockOpenTasks(tx, kind)) if (!task.cancel_requested_at) await stopTask(tx, task)
}

async function stopTask(tx: TenantTx, task: LockedTask): Promise<void> {
  const { id, title, state } = task
  if (state === 'queued') await endTask(tx, task, { state: 'cancelled' })
  else await askToStop(tx, id)
  await record(tx, 'task.cancelled', { id, label: title, before: { state }, after: { state: 'cancelled' } })
  wakeAfterCommit(tx, topicOf(id))
}
