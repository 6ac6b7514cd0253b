import type { SignedIn } from '#platform/access'
import { record } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, notFound } from '#platform/errors'
import { wakeAfterCommit } from '#platform/jobs'
import { getTask } from './read-tasks.queries.ts'
import { endTask } from './run-task.service.ts'
import { isOpen, topicOf } from './task.ts'
import type { TaskStatus } from './task-status.ts'
import { askToStop, lockTask } from './tasks.queries.ts'

/** A task that waits ends at once, a running one after the batch at hand. Asking twice is the same as asking once. */
export async function cancelTask(tx: TenantTx, actor: SignedIn, id: string): Promise<TaskStatus> {
  await getTask(tx, actor, id)
  const task = await lockTask(tx, id)
  if (!task) throw notFound('task')
  if (!isOpen(task.state))
    throw conflict('task_finished', 'This task has ended already; there is nothing left to cancel.')

  if (task.cancel_requested_at) return (await getTask(tx, actor, id)).status
  if (task.state === 'queued') await endTask(tx, task, { state: 'cancelled' })
  else await askToStop(tx, id)
  await record(tx, 'task.cancelled', {
    id,
    label: task.title,
    before: { state: task.state },
    after: { state: 'cancelled' },
  })
  wakeAfterCommit(tx, topicOf(id))
  return (await getTask(tx, actor, id)).status
}
