import { sql } from 'kysely'
import { fromKysely } from 'pg-boss'
import type { Static, TSchema } from 'typebox'
import type { Actor } from '#platform/access'
import { actorOf, type SystemTx, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { boss } from './boss.ts'
import { fits, type Job } from './job.ts'
import { wakeAfterCommit } from './wake.ts'

/** What lies in the queue. The tenant is the job's group. */
export type Order = { job: string; payload: unknown; origin?: Actor['origin'] }

type Options = {
  /** Not before this instant. */
  startAfter?: Date
  /** While a job with the same key waits, there is no second one: the waiting one starts at the earlier of the two times. */
  singletonKey?: string
}

/** Orders a job. It exists only if `tx` commits, and starts after that. */
export async function enqueue<S extends TSchema>(
  tx: TenantTx,
  job: Job<S>,
  payload: Static<S>,
  { startAfter, singletonKey }: Options = {},
): Promise<void> {
  const { tenantId, origin } = actorOf(tx)
  const key = singletonKey === undefined ? undefined : `${tenantId}:${job.name}:${singletonKey}`
  const send = () => insertOrders(tx, job, [{ tenantId, payload, origin, startAfter, key }], true)

  if (!(await send()) && !(await holdWaiting(tx, job, key, startAfter)) && !(await send())) {
    throw new Error(`The job ${job.name} could not be ordered.`)
  }
  wakeAfterCommit(tx, job.queue)
}

type Many<S extends TSchema> = { tenantId: string; payload: Static<S>; origin: Actor['origin'] }

/** Orders jobs for several tenants at once, from work across tenants. */
export async function enqueueMany<S extends TSchema>(tx: SystemTx, job: Job<S>, orders: Many<S>[]): Promise<void> {
  if (!orders.length) return
  await insertOrders(tx, job, orders)
  wakeAfterCommit(tx, job.queue)
}

type NewOrder = { tenantId: string; payload: unknown; origin: Actor['origin']; startAfter?: Date; key?: string }

/** With `returnId` it tells whether at least one was new. */
async function insertOrders(tx: TenantTx | SystemTx, job: Job, orders: NewOrder[], returnId = false): Promise<boolean> {
  const rows = orders.map(({ tenantId, payload, origin, startAfter, key }) => {
    if (!fits(job, payload)) throw new Error(`The payload of ${job.name} is not what its definition says.`)
    const id = newId()
    const data: Order = { job: job.name, payload, ...(origin === 'sample' && { origin }) }
    return { id, data, group: { id: tenantId }, singletonKey: key, startAfter: startAfter?.toISOString() }
  })
  // pg-boss asks for a Kysely of its own and uses nothing of it but `executeQuery`.
  const db = fromKysely(tx as unknown as Parameters<typeof fromKysely>[0])
  return (await boss().insert(job.queue, rows, { db, returnId })) !== null
}

async function holdWaiting(tx: TenantTx, { queue }: Job, key: string | undefined, startAfter: Date | undefined) {
  const { rows } = await sql<{ held: boolean }>`
    select pgboss.hold_waiting(${queue}, ${key ?? ''}, ${startAfter ?? null}::timestamptz) as held
  `.execute(tx)
  return rows[0]?.held ?? false
}
