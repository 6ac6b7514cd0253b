import type { Static, TSchema } from 'typebox'
import { type Clock, systemClock } from '#platform/clock'
import { defineJobHandler, type JobContext, type JobHandler, timeLimitMsOf } from '#platform/jobs'
import { isClientError, isRetryable, toOutcome, toTaskError } from './outcome.rules.ts'
import { claimTask, continueTask, failDeadLetteredTask, finishTask, requeueTask } from './run-task.service.ts'
import type { Task } from './task.ts'
import { createTaskRun, type TaskContext, TaskRunEndedError, TaskTakenOverError } from './task-run.ts'

type TaskWork<Payload, Checkpoint> = (context: TaskContext<Checkpoint>, payload: Payload) => Promise<unknown>

/** Defines a handler. `work` resumes from its checkpoint after a crash; client errors fail the task, others are retried. */
export function defineTaskHandler<S extends TSchema, Checkpoint = unknown>(
  task: Task<S>,
  work: TaskWork<Static<S>, Checkpoint>,
  { clock = systemClock }: { clock?: Clock } = {},
): JobHandler {
  const limit = { clock, maxRunMs: timeLimitMsOf(task.job.queue) / 2 }
  return defineJobHandler(
    task.job,
    (job, { task_id, payload }) =>
      attemptTask(job, task_id, limit, (context: TaskContext<Checkpoint>) => work(context, payload)),
    { onDeadLetter: (job, { task_id }) => job.inTenant((tx) => failDeadLetteredTask(tx, task_id)) },
  )
}

async function attemptTask<Checkpoint>(
  job: JobContext,
  taskId: string,
  limit: Parameters<typeof createTaskRun>[3],
  work: (context: TaskContext<Checkpoint>) => Promise<unknown>,
): Promise<void> {
  const run = await job.inTenant((tx) => claimTask(tx, taskId))
  if (!run) return

  const { context, stopProgress, ending } = createTaskRun(job, run, run.checkpoint as Checkpoint, limit)
  try {
    const result = await work(context)
    const progress = await stopProgress()
    const outcome = toOutcome(result, ending())
    if (!(await job.inTenant((tx) => finishTask(tx, run, outcome, progress)))) throw new TaskTakenOverError()
  } catch (error) {
    const progress = await stopProgress()
    if (error instanceof TaskTakenOverError) throw error
    if (error instanceof TaskRunEndedError) return await job.inTenant((tx) => continueTask(tx, job, run, progress))
    if (job.signal.aborted || isRetryable(error, run.attempt)) {
      await job.inTenant((tx) => requeueTask(tx, run, job.signal.aborted ? null : toTaskError(error)))
      throw error
    }
    job.log[isClientError(error) ? 'info' : 'error']({ err: error, task_id: taskId }, 'task failed')
    await job.inTenant((tx) => finishTask(tx, run, { state: 'failed', error: toTaskError(error) }, progress))
  }
}
