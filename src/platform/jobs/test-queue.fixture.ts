import { after } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, listen, type TenantTx } from '#platform/db'
import { startTestDb } from '#testing'
import type { JobHandler } from './job.ts'
import { createJobQueue } from './job-queue.ts'
import { type JobWorker, type JobWorkerOptions, startJobWorker } from './job-worker.ts'

/** Starts a test database with job queues; stops all workers and listeners after the test file. */
export async function startTestQueue() {
  const stops: (() => Promise<void>)[] = []
  after(async () => {
    for (const stop of stops.toReversed()) await stop()
    await jobQueue.stop()
  })
  const { database, owner, db, systemDb } = await startTestDb()
  const jobQueue = createJobQueue({ db, systemUrl: database.systemUrl })
  await jobQueue.start()
  const logged: { message: string; details: object }[] = []
  const write = (details: object, message: string) => void logged.push({ message, details })
  const log = { info: write, warn: write, error: write }

  async function startWorker(handlers: JobHandler[], options: Partial<JobWorkerOptions> = {}): Promise<JobWorker> {
    const { systemUrl } = database
    const worker = await startJobWorker({
      systemUrl,
      db,
      systemDb,
      handlers,
      getTenantStatus: async () => 'active',
      log,
      pollSeconds: 0.5,
      ...options,
    })
    stops.push(worker.stop)
    return worker
  }

  async function startListener() {
    const listener = await listen(database.systemUrl)
    stops.push(listener.close)
    return listener
  }

  return {
    database,
    owner,
    db,
    systemDb,
    jobQueue,
    logged,
    log,
    startWorker,
    startListener,
    inTenant: <T>(tenantId: string, work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemActor(tenantId), work),
    async listJobs(where = 'true') {
      const { rows } = await owner.query(
        `select id, name, data, state, group_id, group_tier, start_after, retry_limit, retry_count
         from pgboss.job_common where ${where} order by created_on, id`,
      )
      return rows
    },
    skipRetryDelays: () => owner.query(`update pgboss.job_common set start_after = now() where state = 'retry'`),
  }
}
