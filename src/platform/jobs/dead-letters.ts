import type { Job as ClaimedJob } from 'pg-boss'
import { inSystem, type SystemDb, type SystemTx } from '#platform/db'
import { runInTrace } from '#platform/telemetry'
import {
  type DeadJobFilter,
  lockDeadJobsToNotify,
  markDeadJobNotified,
  postponeDeadJobNotification,
  selectDeadJobs,
  type UnnotifiedJob,
} from './boss-tables/dead-letters.queries.ts'
import type { JobData } from './job.ts'
import type { JobQueue } from './job-queue.ts'
import { deadLetterQueueOf, type Queue } from './queues.ts'
import { createJobContext, type WorkerContext } from './run-jobs.ts'

export async function redriveDeadJobs(jobQueue: JobQueue, queue: Queue, filter: DeadJobFilter = {}): Promise<number> {
  const boss = jobQueue.getBoss()
  const ids = await selectDeadJobs(boss.getDb(), queue, filter)
  if (!ids.length) return 0
  const moved = await boss.redrive(deadLetterQueueOf(queue), { ids, limit: ids.length })
  jobQueue.wake(queue)
  return moved
}

/** Calls `onDeadLetter` for new dead jobs; a failed call is repeated a minute later. */
export async function notifyDeadLettered(worker: WorkerContext, systemDb: SystemDb): Promise<void> {
  const jobNames = [...worker.handlers.values()].filter(({ onDeadLetter }) => onDeadLetter).map(({ job }) => job.name)
  if (!jobNames.length) return
  await inSystem(systemDb, async (tx) => {
    for (const job of await lockDeadJobsToNotify(tx, jobNames)) {
      const trace = { name: `dead job ${job.data.job}`, context: job.data.trace, hasFailed: () => false }
      await runInTrace(trace, () => notifyHandler(worker, tx, job))
    }
  })
}

async function notifyHandler(worker: WorkerContext, tx: SystemTx, job: UnnotifiedJob): Promise<void> {
  const context = createJobContext(worker, job.name, { ...job, signal: worker.abortSignal } as ClaimedJob<JobData>)
  try {
    await worker.handlers.get(job.data.job)?.onDeadLetter?.(context, job.data.payload as never)
    await markDeadJobNotified(tx, job.id)
  } catch (err) {
    context.log.warn({ err }, 'dead-letter callback failed')
    await postponeDeadJobNotification(tx, job.id)
  }
}
