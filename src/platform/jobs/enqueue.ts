import { fromKysely } from 'pg-boss'
import type { Static, TSchema } from 'typebox'
import type { Actor } from '#platform/access'
import { actorOf, type SystemTx, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { readTraceContext, type TraceContext } from '#platform/telemetry'
import { type JobClaim, requeueClaimedJob } from './boss-tables/claims.queries.ts'
import { holdWaitingJobs, prepareTenantJobs } from './boss-tables/waiting-jobs.queries.ts'
import { isValidPayload, type Job, type JobData } from './job.ts'
import { getJobQueue, wakeAfterCommit } from './job-queue.ts'

type Options = {
  startAfter?: Date
  /** At most one job per key waits; enqueueing it again keeps the earlier start time. */
  singletonKey?: string
}

export async function enqueue<S extends TSchema>(
  tx: TenantTx,
  job: Job<S>,
  payload: Static<S>,
  { startAfter, singletonKey }: Options = {},
): Promise<void> {
  await enqueueAll(tx, job, [{ payload, startAfter, singletonKey }])
}

type JobRequest<S extends TSchema> = Options & { payload: Static<S> }

/** Enqueues several jobs with one statement, and those whose key already waits with a second one. */
export async function enqueueAll<S extends TSchema>(
  tx: TenantTx,
  job: Job<S>,
  requests: readonly JobRequest<S>[],
): Promise<void> {
  if (!requests.length) return
  const { tenantId, origin, trace } = actorOf(tx)
  const caller = readTraceContext(trace?.requestId)
  const newJobs = requests.map(({ payload, startAfter, singletonKey }) => {
    const key = singletonKey === undefined ? undefined : keyOf(tenantId, job, singletonKey)
    return { id: newId(), tenantId, payload, origin, trace: caller, startAfter: startAfter?.toISOString(), key }
  })
  // All transactions lock the jobs in the same order.
  newJobs.sort((one, other) => ((one.key ?? '') < (other.key ?? '') ? -1 : 1))
  const inserted = await insertJobs(tx, job, newJobs, true)
  await holdOrInsert(
    tx,
    job,
    newJobs.filter(({ id }) => !inserted.has(id)),
  )
  wakeAfterCommit(tx, job.queue)
}

const maxTries = 100

/** Tries again, because a worker may claim the waiting job before it is held, and another transaction insert the next one. */
async function holdOrInsert(tx: TenantTx, job: Job, newJobs: NewJob[]): Promise<void> {
  let left = newJobs
  for (let tries = 0; left.length > 0 && tries < maxTries; tries++) {
    const missing = await holdWaitingJobs(tx, job.queue, left)
    left = left.filter(({ key = '' }) => missing.has(key))
    if (!left.length) return
    const inserted = await insertJobs(tx, job, left, true)
    left = left.filter(({ id = '' }) => !inserted.has(id))
  }
  if (left.length) throw new Error(`The job ${job.name} could not be enqueued.`)
}

export async function requeueJob(tx: TenantTx, queue: string, claim: JobClaim): Promise<void> {
  if (!(await requeueClaimedJob(tx, queue, claim)))
    throw new Error(`The job ${claim.id} is no longer claimed by this worker.`)
  wakeAfterCommit(tx, queue)
}

type TenantJob<S extends TSchema> = {
  tenantId: string
  payload: Static<S>
  origin: Actor['origin']
  trace?: TraceContext
}

export async function enqueueMany<S extends TSchema>(tx: SystemTx, job: Job<S>, jobs: TenantJob<S>[]): Promise<void> {
  if (!jobs.length) return
  await insertJobs(tx, job, jobs)
  wakeAfterCommit(tx, job.queue)
}

const tenantsPerSecond = 10

/** Enqueues one job per tenant, unless its previous one still waits. It replaces a dead one, because it does the same work. */
export async function enqueueForTenants(tx: SystemTx, job: Job, tenantIds: readonly string[]): Promise<void> {
  const withoutJob = await prepareTenantJobs(tx, job, tenantIds)
  const jobs = withoutJob.map((tenantId, index) => ({
    tenantId,
    payload: {},
    origin: 'job' as const,
    key: keyOf(tenantId, job, 'schedule'),
    startAfter: `${Math.floor(index / tenantsPerSecond)} seconds`,
  }))
  if (!jobs.length) return
  await insertJobs(tx, job, jobs)
  wakeAfterCommit(tx, job.queue)
}

const keyOf = (tenantId: string, { name }: Job, singletonKey: string) => `${tenantId}:${name}:${singletonKey}`

type NewJob = {
  id?: string
  tenantId: string
  payload: unknown
  origin: Actor['origin']
  trace?: TraceContext
  startAfter?: string
  key?: string
}

async function insertJobs(tx: TenantTx | SystemTx, job: Job, jobs: NewJob[], returnId = false): Promise<Set<string>> {
  const rows = jobs.map(({ id = newId(), tenantId, payload, origin, trace, startAfter, key }) => {
    if (!isValidPayload(job, payload)) throw new Error(`The payload of ${job.name} does not match its schema.`)
    const data: JobData = { job: job.name, payload, ...(origin === 'sample' && { origin }), ...(trace && { trace }) }
    return { id, data, group: { id: tenantId }, singletonKey: key, startAfter }
  })
  // pg-boss declares a full Kysely instance but only calls `executeQuery`.
  const db = fromKysely(tx as unknown as Parameters<typeof fromKysely>[0])
  return new Set(await getJobQueue(tx).getBoss().insert(job.queue, rows, { db, returnId }))
}
