import type { Metrics } from '#platform/telemetry'
import { getQueueStats, type QueueStats } from './boss-tables/stats.queries.ts'
import type { JobQueue } from './job-queue.ts'

/** `released`: the process stopped before the job ended; `postponed`: left to a worker of another version. */
export type JobOutcome = 'succeeded' | 'failed' | 'dead_lettered' | 'released' | 'postponed'

export type JobRun = { job: string; tenantId: string | null; attempt: number; outcome: JobOutcome; seconds: number }

export type MeasureJob = (run: JobRun) => void

const durationBuckets = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3_600]

/** Registers the metrics of queues and jobs; the worker calls the result after every run of a job or schedule. */
export function registerJobMetrics(metrics: Metrics, jobQueue: JobQueue): MeasureJob {
  registerQueueGauges(metrics, jobQueue)
  const observeDuration = metrics.histogram({
    name: 'job_duration_seconds',
    help: 'Duration of job runs, by job and outcome.',
    labels: ['job', 'outcome'],
    buckets: durationBuckets,
  })
  const countFailure = metrics.counter({ name: 'job_failures_total', help: 'Failed job runs.', labels: ['job'] })
  const countRetry = metrics.counter({ name: 'job_retries_total', help: 'Job runs after the first.', labels: ['job'] })

  return ({ job, attempt, outcome, seconds }) => {
    observeDuration(seconds, { job, outcome })
    if (outcome === 'failed' || outcome === 'dead_lettered') countFailure({ job })
    if (attempt > 1) countRetry({ job })
  }
}

function registerQueueGauges(metrics: Metrics, jobQueue: JobQueue): void {
  let reading: Promise<QueueStats[]> | undefined
  const readStats = () => {
    reading ??= getQueueStats(jobQueue).finally(() => {
      reading = undefined
    })
    return reading
  }
  const registerGauge = (name: string, help: string, readValue: (stats: QueueStats) => number) =>
    metrics.gauge({
      name,
      help,
      labels: ['queue'],
      read: async () =>
        (await readStats()).map((stats) => ({ labels: { queue: stats.name }, value: readValue(stats) })),
    })
  registerGauge('jobs_ready', 'Jobs ready to run, by queue.', ({ ready }) => ready)
  registerGauge('jobs_scheduled', 'Jobs with a later start time, by queue.', ({ scheduled }) => scheduled)
  registerGauge('jobs_dead', 'Jobs in the dead-letter queue, by queue.', ({ dead }) => dead)
  registerGauge(
    'jobs_oldest_ready_age_seconds',
    'Waiting time of the oldest job that is ready to run, by queue.',
    ({ oldest_ready_age_seconds }) => oldest_ready_age_seconds ?? 0,
  )
}
