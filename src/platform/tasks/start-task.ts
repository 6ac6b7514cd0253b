import type { Static, TSchema } from 'typebox'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { type StartedTask, type Task, toStartedTask } from './task.ts'
import { insertTask } from './tasks.queries.ts'

export type TaskOptions = {
  title: string
  total?: number
  resource?: { type: string; id: string }
  /** Only the user who starts the task sees it. It has no audit entries, and its end is no event. */
  isPrivate?: boolean
}

export async function startTask<S extends TSchema>(
  tx: TenantTx,
  { kind, job }: Task<S>,
  payload: Static<S>,
  options: TaskOptions,
): Promise<StartedTask> {
  const started = await createTask(tx, kind, options)
  await enqueue(tx, job, { task_id: started.task_id, payload })
  return started
}

/** Creates a task without a job. */
export async function createTask(
  tx: TenantTx,
  kind: string,
  { title, total, resource, isPrivate = false }: TaskOptions,
): Promise<StartedTask> {
  const { type, userId } = actorOf(tx)
  const id = newId()
  await insertTask(tx, {
    id,
    kind,
    title: title.slice(0, 200),
    progress_total: total ?? null,
    created_by: userId,
    created_via: type === 'user' || type === 'api_key' || type === 'impersonation' ? type : 'system',
    resource_type: resource?.type ?? null,
    resource_id: resource?.id ?? null,
    is_private: isPrivate,
  })
  return toStartedTask(id)
}
