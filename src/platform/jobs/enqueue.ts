import { sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import type { Static, TSchema } from 'typebox'
import type { Actor } from '#platform/access'
import { actorOf, type SystemTx, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { isValidPayload, type Job } from './job.ts'
import { getJobQueue, wakeAfterCommit } from './job-queue.ts'

export type JobData = { job: string; payload: unknown; origin?: Actor['origin'] }

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
  const { tenantId, origin } = actorOf(tx)
  const key = singletonKey === undefined ? undefined : `${tenantId}:${job.name}:${singletonKey}`
  const send = () => insertJobs(tx, job, [{ tenantId, payload, origin, startAfter, key }], true)

  if (!(await send()) && !(await holdWaiting(tx, job, key, startAfter)) && !(await send())) {
    throw new Error(`The job ${job.name} could not be enqueued.`)
  }
  wakeAfterCommit(tx, job.queue)
}

type TenantJob<S extends TSchema> = { tenantId: string; payload: Static<S>; origin: Actor['origin'] }

export async function enqueueMany<S extends TSchema>(tx: SystemTx, job: Job<S>, jobs: TenantJob<S>[]): Promise<void> {
  if (!jobs.length) return
  await insertJobs(tx, job, jobs)
  wakeAfterCommit(tx, job.queue)
}

type NewJob = { tenantId: string; payload: unknown; origin: Actor['origin']; startAfter?: Date; key?: string }

async function insertJobs(tx: TenantTx | SystemTx, job: Job, jobs: NewJob[], returnId = false): Promise<boolean> {
  const rows = jobs.map(({ tenantId, payload, origin, startAfter, key }) => {
    if (!isValidPayload(job, payload)) throw new Error(`The payload of ${job.name} does not match its schema.`)
    const id = newId()
    const data: JobData = { job: job.name, payload, ...(origin === 'sample' && { origin }) }
    return { id, data, group: { id: tenantId }, singletonKey: key, startAfter: startAfter?.toISOString() }
  })
  // pg-boss declares a full Kysely instance but only calls `executeQuery`.
  const db = fromKysely(tx as unknown as Parameters<typeof fromKysely>[0])
  return (await getJobQueue(tx).getBoss().insert(job.queue, rows, { db, returnId })) !== null
}

async function holdWaiting(tx: TenantTx, { queue }: Job, key: string | undefined, startAfter: Date | undefined) {
  const { rows } = await sql<{ held: boolean }>`
    select pgboss.hold_waiting(${queue}, ${key ?? ''}, ${startAfter ?? null}::timestamptz) as held
  `.execute(tx)
  return rows[0]?.held ?? false
}
