import type { Clock } from '#platform/clock'
import { afterCommit, type TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { type JobContext, wakeAfterCommit } from '#platform/jobs'
import { maxAttempts } from './outcome.rules.ts'
import { createProgressReporter } from './progress.ts'
import { taskTopic } from './task.ts'
import { findRun, type TaskRun, updateCheckpoint, updateProgress } from './tasks.queries.ts'

export type TaskContext<Checkpoint = unknown> = JobContext & {
  readonly taskId: string
  readonly isLastAttempt: boolean
  /** Cheap to call often: written at most twice a second. */
  reportProgress(done: number, total?: number): void
  readonly checkpoint: {
    readonly value: Checkpoint | null
    /** Call it last in the batch's transaction: it locks the task row. Throws if another run has taken over. */
    save(tx: TenantTx, value: Checkpoint): Promise<void>
  }
  /** Check between batches and return if true: the task ends as cancelled. Throws if the run must end, to be continued. */
  isCancelled(): Promise<boolean>
  /** Fails the task with a client error after `work` returns its partial result; rethrows all other errors. */
  failWith(error: unknown): undefined
}

export class TaskTakenOverError extends Error {
  override readonly name = 'TaskTakenOverError'

  constructor() {
    super('Another worker has taken over this task.')
  }
}

/** Ends a run before its job expires; the task continues from its checkpoint with a new job. */
export class TaskRunEndedError extends Error {
  override readonly name = 'TaskRunEndedError'
}

type RunLimit = { clock: Clock; maxRunMs: number }

export function createTaskRun<Checkpoint>(
  job: JobContext,
  run: TaskRun & { attempt: number },
  checkpoint: Checkpoint | null,
  { clock, maxRunMs }: RunLimit,
) {
  const endsAtMs = clock.now().getTime() + maxRunMs
  let isSaved = false
  let wasCancelled = false
  let failure: AppError | undefined
  const reporter = createProgressReporter(({ done, total }) =>
    job.inTenant(async (tx) => {
      await updateProgress(tx, run, done, total)
      wakeAfterCommit(tx, taskTopic(run.id))
    }),
  )

  const context: TaskContext<Checkpoint> = {
    ...job,
    taskId: run.id,
    attempt: run.attempt,
    isLastAttempt: run.attempt >= maxAttempts,
    reportProgress: reporter.report,
    checkpoint: {
      value: checkpoint,
      async save(tx, value) {
        if (!(await updateCheckpoint(tx, run, JSON.stringify(value)))) throw new TaskTakenOverError()
        afterCommit(tx, () => {
          isSaved = true
        })
      },
    },
    async isCancelled() {
      job.signal.throwIfAborted()
      const current = await job.inTenant((tx) => findRun(tx, run))
      if (!current) throw new TaskTakenOverError()
      wasCancelled ||= current.cancel_requested_at !== null
      if (!wasCancelled && isSaved && (clock.now().getTime() >= endsAtMs || (await job.isPaused())))
        throw new TaskRunEndedError()
      return wasCancelled
    },
    failWith(error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      failure = error
    },
  }
  return { context, stopProgress: reporter.stop, ending: () => ({ wasCancelled, failure }) }
}
