import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { type JobContext, wakeAfterCommit } from '#platform/jobs'
import { createProgressReporter } from './progress.ts'
import { taskTopic } from './task.ts'
import { findRun, type TaskRun, updateCheckpoint, updateProgress } from './tasks.queries.ts'

export type TaskContext<Checkpoint = unknown> = JobContext & {
  readonly taskId: string
  /** Cheap to call often: written at most twice a second. */
  reportProgress(done: number, total?: number): void
  readonly checkpoint: {
    readonly value: Checkpoint | null
    /** Call it last in the batch's transaction: it locks the task row. Throws if another run has taken over. */
    save(tx: TenantTx, value: Checkpoint): Promise<void>
  }
  /** Check between batches and return if true: the task ends as cancelled, and completed changes are kept. */
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

export function createTaskRun<Checkpoint>(
  job: JobContext,
  run: TaskRun,
  attempt: number,
  checkpoint: Checkpoint | null,
) {
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
    attempt,
    reportProgress: reporter.report,
    checkpoint: {
      value: checkpoint,
      async save(tx, value) {
        if (!(await updateCheckpoint(tx, run, JSON.stringify(value)))) throw new TaskTakenOverError()
      },
    },
    async isCancelled() {
      job.signal.throwIfAborted()
      const current = await job.inTenant((tx) => findRun(tx, run))
      if (!current) throw new TaskTakenOverError()
      wasCancelled ||= current.cancel_requested_at !== null
      return wasCancelled
    },
    failWith(error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      failure = error
    },
  }
  return { context, stopProgress: reporter.stop, ending: () => ({ wasCancelled, failure }) }
}
