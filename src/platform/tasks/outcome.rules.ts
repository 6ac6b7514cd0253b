import { AppError } from '#platform/errors'
import type { TaskError, TaskState } from './task.ts'

export const maxAttempts = 5
const maxResultBytes = 64 * 1024

export type TaskOutcome = {
  state: Exclude<TaskState, 'queued' | 'running'>
  result?: string | null
  error?: TaskError | null
}

type RunEnding = { wasCancelled: boolean; failure?: AppError }

/** Keeps the partial result of cancelled and failed tasks. */
export function toOutcome(returned: unknown, { wasCancelled, failure }: RunEnding): TaskOutcome {
  const json = JSON.stringify(returned ?? null)
  const stored = Buffer.byteLength(json) <= maxResultBytes ? json : JSON.stringify({ truncated: true })
  const result = stored === 'null' ? null : stored
  if (failure) return { state: 'failed', result, error: toTaskError(failure) }
  return { state: wasCancelled ? 'cancelled' : 'succeeded', result }
}

/** Shows users the message of an AppError only; other messages are internal. */
export function toTaskError(error: unknown): TaskError {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return {
    code: 'internal_error',
    message:
      'Something went wrong on our side. Start the task again. If the problem persists, contact support with the task id.',
  }
}

export const stalledError: TaskError = {
  code: 'stalled',
  message: 'The task stopped several times without a result. Completed changes are kept. Start it again.',
}

export const isRetryable = (error: unknown, attempt: number): boolean => attempt < maxAttempts && !isClientError(error)

/** True for errors that tell the user what to change. */
export const isClientError = (error: unknown): boolean =>
  error instanceof AppError && error.status < 500 && error.status !== 429
