import type { TenantTx } from '#platform/db'
import { AppError } from '#platform/errors'
import { type JobContext, wakeAfterCommit } from '#platform/jobs'
import { reportProgress } from './progress.ts'
import { topicOf } from './task.ts'
import { findRun, type Run, writeCheckpoint, writeProgress } from './tasks.queries.ts'

/** What a task may do and know while it runs. */
export type TaskContext<Checkpoint = unknown> = JobContext & {
  readonly taskId: string
  /** Tells how far it has got. Call it as often as you like; it is written at most twice a second. */
  progress(done: number, total?: number): void
  readonly checkpoint: {
    /** Where an earlier attempt got to; null for a fresh start. */
    readonly value: Checkpoint | null
    /**
     * Commits with the batch it belongs to, so that no row is done twice. Call it last in the batch: until the commit nobody
     * can cancel the task. It refuses, and the batch is undone, when another worker has taken over.
     */
    save(tx: TenantTx, value: Checkpoint): Promise<void>
  }
  /** Ask between batches. After a yes, return: the task ends as cancelled, and what is done stays. */
  isCancelled(): Promise<boolean>
  /**
   * Takes a refusal for the end of the work; anything else is thrown on. After it, return: the task ends as failed with the words
   * of the refusal, and with what is returned as what was done by then.
   */
  giveUp(refusal: unknown): undefined
}

/** Another worker has the task: nothing this one does may count any more. */
export class TaskTakenOver extends Error {
  override readonly name = 'TaskTakenOver'

  constructor() {
    super('Another worker has taken over this task.')
  }
}

export function openRun<Checkpoint>(job: JobContext, run: Run, attempt: number, checkpoint: Checkpoint | null) {
  let wasToldToStop = false
  let refusal: AppError | undefined
  const progress = reportProgress(({ done, total }) =>
    job.inTenant(async (tx) => {
      await writeProgress(tx, run, done, total)
      wakeAfterCommit(tx, topicOf(run.id))
    }),
  )

  const context: TaskContext<Checkpoint> = {
    ...job,
    taskId: run.id,
    attempt,
    progress: progress.report,
    checkpoint: {
      value: checkpoint,
      async save(tx, value) {
        if (!(await writeCheckpoint(tx, run, JSON.stringify(value)))) throw new TaskTakenOver()
      },
    },
    async isCancelled() {
      job.signal.throwIfAborted()
      const held = await job.inTenant((tx) => findRun(tx, run))
      if (!held) throw new TaskTakenOver()
      wasToldToStop ||= held.cancel_requested_at !== null
      return wasToldToStop
    },
    giveUp(error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      refusal = error
    },
  }
  return { context, stopProgress: progress.stop, ending: () => ({ wasCancelled: wasToldToStop, refusal }) }
}
