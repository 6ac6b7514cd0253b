import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { defineJob, type Job, type Queue } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

type Order<S extends TSchema> = { task_id: string; payload: Static<S> }

/** Long work that somebody starts and may follow, stop and find again. */
export type Task<S extends TSchema = TSchema> = { readonly kind: string; readonly job: Job<TUnsafe<Order<S>>> }

/** `kind` is `{resource}.{order}`, such as `leads.bulk`. The payload holds ids, not records. */
export function defineTask<S extends TSchema>(kind: string, queue: Queue, payload: S): Task<S> {
  const order = Type.Unsafe<Order<S>>(strict({ task_id: Id, payload: payload as TSchema }))
  return Object.freeze({ kind, job: defineJob(kind, queue, order) })
}

export const taskStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]

export const TaskError = strict({ code: Type.String(), message: Type.String() })
export type TaskError = Static<typeof TaskError>

/** What is told of a change, to whoever follows the task in any process. */
export const topicOf = (taskId: string): string => `task:${taskId}`

export const isOpen = (state: string): boolean => state === 'queued' || state === 'running'
