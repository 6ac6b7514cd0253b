import { setTimeout as sleep } from 'node:timers/promises'
import type { Job as ClaimedJob, PgBoss } from 'pg-boss'
import type { Db, Listener, SystemDb } from '#platform/db'
import { newId } from '#platform/ids'
import { openBoss, workerApplicationName } from './boss.ts'
import { type JobClaim, releaseJobs } from './boss-tables/claims.queries.ts'
import { notifyDeadLettered } from './dead-letters.ts'
import type { JobData, JobHandler, JobLog } from './job.ts'
import type { MeasureJob } from './job-metrics.ts'
import { onWake } from './job-queue.ts'
import { type PollingLoops, startPollingLoops } from './polling-loops.ts'
import { queueOptions, queues, scheduleLoops, scheduleQueue } from './queues.ts'
import { type GetTenantStatus, runJobs, type WorkerContext } from './run-jobs.ts'
import { runSchedule, type Schedule, type ScheduleRun, startScheduleRegistration } from './schedules.ts'
import { createTenantScheduleHandlers } from './tenant-schedules/tenant-schedules.ts'

export type JobWorkerOptions = {
  systemUrl: string
  db: Db
  systemDb: SystemDb
  handlers: readonly JobHandler[]
  schedules?: readonly Schedule[]
  /** Jobs of suspended tenants are parked; jobs of deleted tenants complete without running. */
  getTenantStatus: GetTenantStatus
  listener?: Listener
  log: JobLog
  measureJob?: MeasureJob
  pollSeconds?: number
}

export type JobWorker = {
  stop(): Promise<void>
}

const drainMs = 8_000
const abortMs = 2_000
const deadLetterPollMs = 5_000

export async function startJobWorker(options: JobWorkerOptions): Promise<JobWorker> {
  const { systemUrl, systemDb, db, listener, log, measureJob, getTenantStatus, schedules = [] } = options
  const applicationName = `${workerApplicationName} ${newId()}`
  const boss = await openBoss({ systemUrl, applicationName, max: 6, log, isSupervising: true })
  const [drain, abort] = [new AbortController(), new AbortController()]
  const handlers = handlersByName([...options.handlers, ...createTenantScheduleHandlers(schedules, systemDb)])
  const context: WorkerContext = {
    db,
    systemDb,
    queueDb: boss.getDb(),
    handlers,
    getTenantStatus,
    log,
    measureJob,
    drainSignal: drain.signal,
    abortSignal: abort.signal,
    detached: new Set<Promise<void>>(),
  }
  const claims: ClaimsByQueue = new Map()

  const loops = await startAllLoops(boss, context, claims, options)
  const registration = await startScheduleRegistration(boss, schedules, log)
  if (listener) await onWake(listener, (topic) => loops.get(topic)?.wake())
  const deadLetterLoop = pollDeadLetters(context, systemDb)

  return {
    async stop() {
      registration.stop()
      drain.abort()
      for (const { stop } of loops.values()) stop()
      await Promise.all([deadLetterLoop, stopLoops(boss, claims, abort, context.detached)])
    },
  }
}

function handlersByName(handlers: readonly JobHandler[]): Map<string, JobHandler> {
  const byName = new Map(handlers.map((handler) => [handler.job.name, handler]))
  if (byName.size < handlers.length) throw new Error('A job must not have two handlers.')
  return byName
}

/** The claims of running jobs, which are released if the worker stops before they finish. */
type ClaimsByQueue = Map<string, Set<JobClaim>>

async function startAllLoops(
  boss: PgBoss,
  context: WorkerContext,
  claims: ClaimsByQueue,
  { schedules = [], systemDb, pollSeconds = 2 }: JobWorkerOptions,
): Promise<Map<string, PollingLoops>> {
  const loops = new Map<string, PollingLoops>()
  for (const queue of queues) {
    const settings = { ...queueOptions[queue], pollSeconds }
    const run = trackClaims(claims, queue, (batch: ClaimedJob<JobData>[]) => runJobs(context, queue, batch))
    loops.set(queue, await startPollingLoops<JobData>(boss, queue, settings, run))
  }
  const schedulesByName = new Map(schedules.map((schedule) => [schedule.name, schedule]))
  const run = trackClaims(claims, scheduleQueue, (batch: ClaimedJob<ScheduleRun>[]) =>
    Promise.all(batch.map((job) => runSchedule({ ...context, systemDb }, schedulesByName, job))),
  )
  const settings = { loops: scheduleLoops, batchSize: 1, pollSeconds }
  loops.set(scheduleQueue, await startPollingLoops<ScheduleRun>(boss, scheduleQueue, settings, run))
  return loops
}

function trackClaims<J extends JobClaim, R>(claims: ClaimsByQueue, queue: string, run: (batch: J[]) => Promise<R>) {
  const running = new Set<JobClaim>()
  claims.set(queue, running)
  return async (batch: J[]): Promise<R> => {
    for (const job of batch) running.add(job)
    try {
      return await run(batch)
    } finally {
      for (const job of batch) running.delete(job)
    }
  }
}

async function pollDeadLetters(context: WorkerContext, systemDb: SystemDb): Promise<void> {
  const { drainSignal, log } = context
  while (!drainSignal.aborted) {
    await sleep(deadLetterPollMs, undefined, { signal: drainSignal }).catch(() => {})
    if (drainSignal.aborted) return
    await notifyDeadLettered(context, systemDb).catch((err) => log.warn({ err }, 'dead-letter poll failed'))
  }
}

async function stopLoops(
  boss: PgBoss,
  claims: ClaimsByQueue,
  abort: AbortController,
  detached: ReadonlySet<Promise<void>>,
): Promise<void> {
  // Resolves when the results of all jobs are stored, not only when their handlers have returned.
  const ended = Promise.all([...claims.keys()].map((queue) => boss.offWork(queue, { wait: true })))
  const finished = ended.then(() => Promise.all(detached))
  await waitAtMost(drainMs, finished)
  abort.abort()
  await waitAtMost(abortMs, finished)
  for (const [queue, running] of claims) await releaseJobs(boss.getDb(), queue, [...running])
  await boss.stop({ graceful: false })
}

async function waitAtMost(milliseconds: number, finished: Promise<unknown>): Promise<void> {
  const timeout = new AbortController()
  await Promise.race([finished, sleep(milliseconds, undefined, { signal: timeout.signal }).catch(() => {})])
  timeout.abort()
}
