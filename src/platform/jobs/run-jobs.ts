import type { Job as Claimed, JobResult } from 'pg-boss'
import { systemIn } from '#platform/access'
import { type Db, inTenant } from '#platform/db'
import type { QueueDb } from './boss.ts'
import { type Claim, giveBack, parkJobs } from './claims.ts'
import type { Order } from './enqueue.ts'
import { fits, type JobContext, type JobHandler, type JobLog } from './job.ts'
import { type Queue, shapes } from './queues.ts'

export type TenantStatus = (tenantId: string) => Promise<'active' | 'suspended' | 'gone'>

export type Workshop = {
  db: Db
  queueDb: QueueDb
  handlers: ReadonlyMap<string, JobHandler>
  tenantStatus: TenantStatus
  log: JobLog
  /** Aborted when no more jobs are to be begun. */
  closing: AbortSignal
  /** Aborted when the process is about to end, and those begun are to be put down. */
  ending: AbortSignal
}

type ClaimedOrder = Claimed<Order>

/** Runs a batch, each job in the tenant that ordered it, and tells what became of each. */
export async function runJobs(shop: Workshop, queue: Queue, batch: ClaimedOrder[]): Promise<JobResult[]> {
  const tenantIds = [...new Set(batch.map(tenantOfJob))]
  const known = await Promise.all(tenantIds.map(async (id) => [id, await shop.tenantStatus(id)] as const))
  const statusOf = new Map(known)

  const suspended = tenantIds.filter((id) => statusOf.get(id) === 'suspended')
  const parked = batch.filter((job) => statusOf.get(tenantOfJob(job)) === 'suspended')
  if (suspended.length) await parkJobs(shop.queueDb, queue, suspended, parked)

  return await severalAtOnce(shapes[queue].atOnce, batch, async (job) => {
    if (statusOf.get(tenantOfJob(job)) !== 'active') return asDone(job)
    return shop.closing.aborted ? await handBack(shop, queue, job) : await runJob(shop, queue, job)
  })
}

async function severalAtOnce<T, R>(count: number, items: T[], run: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  const left = items.entries()
  const worker = async () => {
    for (const [index, item] of left) results[index] = await run(item)
  }
  await Promise.all(Array.from({ length: count }, worker))
  return results
}

async function handBack(shop: Workshop, queue: Queue, job: ClaimedOrder): Promise<JobResult> {
  await giveBack(shop.queueDb, queue, [job])
  return asDone(job)
}

/** Also for a job that is no longer ours to settle: whoever has lost the claim settles nothing. */
const asDone = ({ id }: Claim): JobResult => ({ id, status: 'completed' })

async function runJob(shop: Workshop, queue: Queue, job: ClaimedOrder): Promise<JobResult> {
  const { job: name, payload } = job.data
  const context = contextOf(shop, job)
  const handler = shop.handlers.get(name)
  try {
    // A newer or older process may know it: waiting helps.
    if (!handler) throw new Error(`Nobody here handles the job ${name}.`)
    if (!fits(handler.job, payload)) return giveUp(context, job, new Error(`The payload of ${name} is out of date.`))

    await handler.run(context, payload as never)
    return asDone(job)
  } catch (err) {
    if (shop.ending.aborted) return await handBack(shop, queue, job)
    context.log.warn({ err }, 'a job failed')
    return { id: job.id, status: 'failed', output: outline(err) }
  }
}

function giveUp(context: JobContext, { id }: Claim, err: Error): JobResult {
  context.log.error({ err }, 'a job cannot be done')
  return { id, status: 'deadletter', output: outline(err) }
}

export function contextOf({ db, log, ending }: Workshop, job: ClaimedOrder): JobContext {
  const tenantId = tenantOfJob(job)
  const actor = { ...systemIn(tenantId), origin: job.data.origin ?? 'job' }
  const attempt = job.retryCount + 1
  return {
    tenantId,
    attempt,
    inTenant: (work) => inTenant(db, actor, work),
    signal: AbortSignal.any([job.signal, ending]),
    log: about(log, { job: job.data.job, job_id: job.id, tenant_id: tenantId, attempt }),
  }
}

export function about(log: JobLog, facts: object): JobLog {
  return {
    info: (details, message) => log.info({ ...facts, ...details }, message),
    warn: (details, message) => log.warn({ ...facts, ...details }, message),
    error: (details, message) => log.error({ ...facts, ...details }, message),
  }
}

/** What is kept with a failed job, for the operator. The rest is in the log. */
export function outline(error: unknown): { name: string; code?: string; message: string } {
  const { name = 'Error', code, message = String(error) } = error as { name?: string; code?: string; message?: string }
  return { name, ...(typeof code === 'string' && { code }), message: message.slice(0, 300) }
}

function tenantOfJob({ groupId, id }: ClaimedOrder): string {
  if (!groupId) throw new Error(`The job ${id} belongs to no tenant.`)
  return groupId
}
