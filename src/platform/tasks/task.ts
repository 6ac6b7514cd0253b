import { type Static, type TSchema, type TUnsafe, Type } from 'typebox'
import { defineJob, type Job, type Queue } from '#platform/jobs'
import { Id, strict } from '#platform/schema'

type TaskJobPayload<S extends TSchema> = { task_id: string; payload: Static<S> }

export type Task<S extends TSchema = TSchema> = { readonly kind: string; readonly job: Job<TUnsafe<TaskJobPayload<S>>> }

export function defineTask<S extends TSchema>(kind: string, queue: Queue, payload: S): Task<S> {
  const jobPayload = Type.Unsafe<TaskJobPayload<S>>(strict({ task_id: Id, payload: payload as TSchema }))
  return Object.freeze({ kind, job: defineJob(kind, queue, jobPayload) })
}

/** Number of records that a request changes before its response; a task changes more. */
export const maxInline = 200

export const taskStates = ['queued', 'running', 'succeeded', 'failed', 'cancelled'] as const
export type TaskState = (typeof taskStates)[number]

export const TaskError = strict({ code: Type.String(), message: Type.String() })
export type TaskError = Static<typeof TaskError>

export type StartedTask = { task_id: string; status_url: string }

export const toStartedTask = (id: string): StartedTask => ({ task_id: id, status_url: `/api/tasks/${id}/status` })

export const taskTopic = (taskId: string): string => `task:${taskId}`

export const isTaskOpen = (state: string): boolean => state === 'queued' || state === 'running'

type Ways<Result, Started> = { runInline(): Promise<Result>; startTask(): Promise<Started> }

/** Changes up to `maxInline` records before the response, and more in a task. */
export const runInlineOrTask = <Result, Started = StartedTask>(
  count: number,
  { runInline, startTask }: Ways<Result, Started>,
): Promise<Result | Started> => (count > maxInline ? startTask() : runInline())
