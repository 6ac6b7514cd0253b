import { AppError } from '#platform/errors'
import type { TaskError, TaskState } from './task.ts'

export const maxAttempts = 5
const maxResultBytes = 64 * 1024

export type Outcome = {
  state: Exclude<TaskState, 'queued' | 'running'>
  /** As JSON. */
  result?: string | null
  error?: TaskError | null
}

type Ending = { wasCancelled: boolean; refusal?: AppError }

/** What was worked for stays, also when it was stopped half-way. */
export function endedBy(result: unknown, { wasCancelled, refusal }: Ending): Outcome {
  const written = JSON.stringify(result ?? null)
  const kept = Buffer.byteLength(written) <= maxResultBytes ? written : JSON.stringify({ truncated: true })
  const told = kept === 'null' ? null : kept
  if (refusal) return { state: 'failed', result: told, error: failedTask(refusal) }
  return { state: wasCancelled ? 'cancelled' : 'succeeded', result: told }
}

/** The words of a refusal are for people; those of an accident are for the log. */
export function failedTask(error: unknown): TaskError {
  if (error instanceof AppError) return { code: error.code, message: error.message }
  return {
    code: 'internal_error',
    message: 'Something went wrong on our side. Start it again, and tell us the task id if it stays.',
  }
}

export const stalled: TaskError = {
  code: 'stalled',
  message: 'The work stopped several times without an answer and was given up. What was done stays. Start it again.',
}

/** A refusal would be repeated; what is busy or away may be there the next time. */
export function isWorthRetrying(error: unknown, attempt: number): boolean {
  if (attempt >= maxAttempts) return false
  return !(error instanceof AppError) || error.status === 429 || error.status >= 500
}
