import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp } from '#platform/schema'
import { isTaskOpen, TaskError, taskStates } from './task.ts'

export const TaskStatus = named(
  'TaskStatus',
  strict({
    task_id: Id,
    kind: Type.String({ examples: ['leads.bulk'] }),
    title: Type.String(),
    state: Type.Enum([...taskStates]),
    progress: strict({
      done: Type.Integer({ description: 'Items processed so far; never decreases.' }),
      total: nullable(Type.Integer({ description: 'Total number of items, or null if not yet known.' })),
    }),
    result: Type.Unknown({
      description: 'Result of the task; partial if the task was cancelled or failed.',
    }),
    error: nullable(TaskError),
    cancellable: Type.Boolean(),
    created_at: Timestamp,
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
  }),
)
export type TaskStatus = Static<typeof TaskStatus>

export const statusColumns = [
  'id',
  'kind',
  'title',
  'state',
  'progress_done',
  'progress_total',
  'result',
  'error',
  'cancel_requested_at',
  'created_at',
  'started_at',
  'finished_at',
  'seq',
] as const

export type TaskStatusRow = {
  id: string
  kind: string
  title: string
  state: string
  progress_done: number
  progress_total: number | null
  result: unknown
  error: unknown
  cancel_requested_at: Date | null
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
  seq: number
}

/** Shows the error only when the task has failed, not while it is retried. */
export function toTaskStatus(task: TaskStatusRow): TaskStatus {
  const { id, progress_done, progress_total, cancel_requested_at, error } = task
  const { kind, title, result, created_at, started_at, finished_at } = task
  const state = task.state as TaskStatus['state']
  return {
    task_id: id,
    kind,
    title,
    state,
    progress: { done: progress_done, total: progress_total },
    result: result ?? null,
    error: state === 'failed' ? (error as TaskError) : null,
    cancellable: isTaskOpen(state) && cancel_requested_at === null,
    created_at,
    started_at,
    finished_at,
  }
}
