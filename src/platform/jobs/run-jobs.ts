import type { Job as ClaimedJob, JobResult } from 'pg-boss'
import { systemActor } from '#platform/access'
import { mapConcurrently } from '#platform/concurrency'
import { type Db, enterTenant, inSystem, inTenant, type SystemDb } from '#platform/db'
import { runInTrace } from '#platform/telemetry'
import { runAsWork } from '#platform/watchdog'
import type { QueueDb } from './boss.ts'
import { type JobClaim, parkJobs, postponeJob, releaseJobs } from './boss-tables/claims.queries.ts'
import { requeueJob } from './enqueue.ts'
import {
  isValidPayload,
  type JobContext,
  type JobData,
  type JobHandler,
  type JobLog,
  MissingHandlerError,
} from './job.ts'
import type { JobOutcome, MeasureJob } from './job-metrics.ts'
import { isParkedIn, type Queue, queueOptions, type TenantStatus } from './queues.ts'

export type GetTenantStatus = (tenantId: string) => Promise<TenantStatus>

export type WorkerContext = {
  db: Db
  systemDb: SystemDb
  queueDb: QueueDb
  handlers: ReadonlyMap<string, JobHandler>
  getTenantStatus: GetTenantStatus
  log: JobLog
  measureJob?: MeasureJob
  /** Aborted when the worker must not start further jobs. */
  drainSignal: AbortSignal
  /** Aborted when running jobs must stop, because the process ends. */
  abortSignal: AbortSignal
  /** Work that continues after its job has ended. */
  detached: Set<Promise<void>>
}

type QueuedJob = ClaimedJob<JobData>

export async function runJobs(worker: WorkerContext, queue: Queue, batch: QueuedJob[]): Promise<JobResult[]> {
  const tenantIds = [...new Set(batch.map(tenantIdOfJob))]
  const statuses = await Promise.all(tenantIds.map(async (id) => [id, await worker.getTenantStatus(id)] as const))
  const statusByTenant = new Map(statuses)

  const isParked = (tenantId: string) => isParkedIn(queue, statusByTenant.get(tenantId)!)
  const parked = batch.filter((job) => isParked(tenantIdOfJob(job)))
  if (parked.length) await parkJobs(worker.queueDb, queue, tenantIds.filter(isParked), parked)

  return await mapConcurrently(batch, queueOptions[queue].concurrency, async (job) => {
    const tenantId = tenantIdOfJob(job)
    if (isParked(tenantId) || statusByTenant.get(tenantId) === 'gone') return toCompleted(job)
    return worker.drainSignal.aborted ? await releaseJob(worker, queue, job) : await runJob(worker, queue, job)
  })
}

async function releaseJob(worker: WorkerContext, queue: Queue, job: QueuedJob): Promise<JobResult> {
  await releaseJobs(worker.queueDb, queue, [job])
  return toCompleted(job)
}

/** Fits released jobs too: pg-boss ignores the result of a claim that is no longer valid. */
const toCompleted = ({ id }: JobClaim): JobResult => ({ id, status: 'completed' })

async function runJob(worker: WorkerContext, queue: Queue, job: QueuedJob): Promise<JobResult> {
  const startedAt = performance.now()
  const { job: name, trace } = job.data
  const hasFailed = ({ outcome }: Attempt) => outcome === 'failed' || outcome === 'dead_lettered'
  const describe = () => ({ job: name, job_id: job.id, attempt: job.retryCount + 1, tenant_id: tenantIdOfJob(job) })
  const { outcome, result } = await runAsWork(describe, () =>
    runInTrace({ name: `job ${name}`, context: trace, hasFailed }, () => attemptJob(worker, queue, job)),
  )
  const seconds = (performance.now() - startedAt) / 1_000
  worker.measureJob?.({ job: name, tenantId: tenantIdOfJob(job), attempt: job.retryCount + 1, outcome, seconds })
  return result
}

type Attempt = { outcome: JobOutcome; result: JobResult }

async function attemptJob(worker: WorkerContext, queue: Queue, job: QueuedJob): Promise<Attempt> {
  const { job: name, payload } = job.data
  const context = createJobContext(worker, queue, job)
  const handler = worker.handlers.get(name)
  try {
    if (!handler) throw new MissingHandlerError(`No handler for the job ${name}.`)
    if (!isValidPayload(handler.job, payload)) {
      return toDeadLetter(context, job, new Error(`The payload of ${name} is out of date.`))
    }

    await handler.run(context, payload as never)
    return { outcome: 'succeeded', result: toCompleted(job) }
  } catch (err) {
    if (worker.abortSignal.aborted) return { outcome: 'released', result: await releaseJob(worker, queue, job) }
    if (err instanceof MissingHandlerError) return await postponeOrDeadLetter(worker, queue, job, err)
    context.log.warn({ err }, 'job failed')
    return { outcome: 'failed', result: { id: job.id, status: 'failed', output: summarizeError(err) } }
  }
}

async function postponeOrDeadLetter(worker: WorkerContext, queue: Queue, job: QueuedJob, err: Error): Promise<Attempt> {
  const context = createJobContext(worker, queue, job)
  if (!(await postponeJob(worker.queueDb, queue, job))) return toDeadLetter(context, job, err)
  context.log.info({ reason: err.message }, 'job left to a worker of another version')
  return { outcome: 'postponed', result: toCompleted(job) }
}

function toDeadLetter(context: JobContext, { id }: JobClaim, err: Error): Attempt {
  context.log.error({ err }, 'job moved to the dead-letter queue')
  return { outcome: 'dead_lettered', result: { id, status: 'deadletter', output: summarizeError(err) } }
}

export function createJobContext(worker: WorkerContext, queue: string, job: QueuedJob): JobContext {
  const { db, systemDb, abortSignal, drainSignal, detached, getTenantStatus } = worker
  const tenantId = tenantIdOfJob(job)
  const actor = { ...systemActor(tenantId), origin: job.data.origin ?? 'job' }
  const attempt = job.retryCount + 1
  const log = withLogFields(worker.log, { job: job.data.job, job_id: job.id, tenant_id: tenantId, attempt })
  return {
    tenantId,
    attempt,
    inTenant: (work) => inTenant(db, actor, work, 'job'),
    inTenantAsSystem: (work) => inSystem(systemDb, async (tx) => work(await enterTenant(tx, actor))),
    isPaused: async () => isParkedIn(queue, await getTenantStatus(tenantId)),
    requeue: (tx) => requeueJob(tx, queue, job),
    detach(work) {
      const ended = work({ drainSignal, abortSignal })
        .catch((err) => log.error({ err }, 'work that continued after its job failed'))
        .finally(() => detached.delete(ended))
      detached.add(ended)
    },
    signal: AbortSignal.any([job.signal, abortSignal]),
    log,
  }
}

export function withLogFields(log: JobLog, fields: object): JobLog {
  return {
    info: (details, message) => log.info({ ...fields, ...details }, message),
    warn: (details, message) => log.warn({ ...fields, ...details }, message),
    error: (details, message) => log.error({ ...fields, ...details }, message),
  }
}

export function summarizeError(error: unknown): { name: string; code?: string; message: string } {
  const { name = 'Error', code, message = String(error) } = error as { name?: string; code?: string; message?: string }
  return { name, ...(typeof code === 'string' && { code }), message: message.slice(0, 300) }
}

function tenantIdOfJob({ groupId, id }: QueuedJob): string {
  if (!groupId) throw new Error(`The job ${id} has no tenant.`)
  return groupId
}
