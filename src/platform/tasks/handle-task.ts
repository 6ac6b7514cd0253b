import type { Static, TSchema } from 'typebox'
import { handleJob, type JobContext, type JobHandler } from '#platform/jobs'
import { endedBy, failedTask, isWorthRetrying } from './outcome.rules.ts'
import { beginTask, finishTask, giveUpTask, requeueTask } from './run-task.service.ts'
import type { Task } from './task.ts'
import { openRun, type TaskContext, TaskTakenOver } from './task-run.ts'

type Work<Payload, Checkpoint> = (context: TaskContext<Checkpoint>, payload: Payload) => Promise<unknown>

/**
 * What `work` returns is the result people see, at most 64 KiB of JSON. It may run again after a crash: it goes on from its
 * checkpoint. A refusal (AppError) ends the task at once with its code; anything else is tried again.
 */
export function handleTask<S extends TSchema, Checkpoint = unknown>(
  task: Task<S>,
  work: Work<Static<S>, Checkpoint>,
): JobHandler {
  return handleJob(
    task.job,
    (job, { task_id, payload }) =>
      attemptTask(job, task_id, (context: TaskContext<Checkpoint>) => work(context, payload)),
    { givenUp: (job, { task_id }) => job.inTenant((tx) => giveUpTask(tx, task_id)) },
  )
}

async function attemptTask<Checkpoint>(
  job: JobContext,
  taskId: string,
  work: (context: TaskContext<Checkpoint>) => Promise<unknown>,
): Promise<void> {
  const begun = await job.inTenant((tx) => beginTask(tx, taskId))
  if (!begun) return

  const { context, stopProgress, ending } = openRun(job, begun, begun.attempt, begun.checkpoint as Checkpoint)
  try {
    const result = await work(context)
    const progress = await stopProgress()
    const outcome = endedBy(result, ending())
    if (!(await job.inTenant((tx) => finishTask(tx, begun, outcome, progress)))) throw new TaskTakenOver()
  } catch (error) {
    const progress = await stopProgress()
    if (error instanceof TaskTakenOver) throw error
    if (job.signal.aborted || isWorthRetrying(error, begun.attempt)) {
      await job.inTenant((tx) => requeueTask(tx, begun, job.signal.aborted ? null : failedTask(error)))
      throw error
    }
    job.log.error({ err: error, task_id: taskId }, 'a task failed')
    await job.inTenant((tx) => finishTask(tx, begun, { state: 'failed', error: failedTask(error) }, progress))
  }
}
