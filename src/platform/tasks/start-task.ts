import type { Static, TSchema } from 'typebox'
import { actorOf, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { enqueue } from '#platform/jobs'
import { type StartedTask, type Task, toStartedTask } from './task.ts'
import { insertTask } from './tasks.queries.ts'

type TaskOptions = {
  title: string
  total?: number
  resource?: { type: string; id: string }
}

export async function startTask<S extends TSchema>(
  tx: TenantTx,
  task: Task<S>,
  payload: Static<S>,
  { title, total, resource }: TaskOptions,
): Promise<StartedTask> {
  const { type, userId } = actorOf(tx)
  const id = newId()
  await insertTask(tx, {
    id,
    kind: task.kind,
    title: title.slice(0, 200),
    progress_total: total ?? null,
    created_by: userId,
    created_via: type === 'user' || type === 'api_key' || type === 'impersonation' ? type : 'system',
    resource_type: resource?.type ?? null,
    resource_id: resource?.id ?? null,
  })
  await enqueue(tx, task.job, { task_id: id, payload })
  return toStartedTask(id)
}
