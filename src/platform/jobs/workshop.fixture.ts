import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemIn } from '#platform/access'
import { inTenant, listen, type TenantTx } from '#platform/db'
import { startTestDb } from '#testing'
import { startJobs, stopJobs } from './boss.ts'
import type { JobHandler } from './job.ts'
import type { TenantStatus } from './run-jobs.ts'
import { type Work, type Working, workOnJobs } from './work.ts'

/** A database with a queue, and workers on demand. Everything ends with the test file. */
export async function startTestWorkshop() {
  const stops: (() => Promise<void>)[] = []
  after(async () => {
    for (const stop of stops.toReversed()) await stop()
    await stopJobs()
  })
  const { database, owner, db, systemDb } = await startTestDb()
  await startJobs({ systemUrl: database.systemUrl })
  const logged: { message: string; details: object }[] = []
  const write = (details: object, message: string) => void logged.push({ message, details })
  const log = { info: write, warn: write, error: write }

  async function startWorker(handlers: JobHandler[], more: Partial<Work> = {}): Promise<Working> {
    const tenantStatus: TenantStatus = async () => 'active'
    const { systemUrl } = database
    const working = await workOnJobs({
      systemUrl,
      db,
      systemDb,
      handlers,
      tenantStatus,
      log,
      pollSeconds: 0.5,
      ...more,
    })
    stops.push(working.stop)
    return working
  }

  async function startListener() {
    const listener = await listen(database.systemUrl)
    stops.push(listener.close)
    return listener
  }

  return {
    ...{ database, owner, db, systemDb, logged, log, startWorker, startListener },
    inTenant: <T>(tenantId: string, work: (tx: TenantTx) => Promise<T>) => inTenant(db, systemIn(tenantId), work),
    /** What lies in the queues, as pg-boss keeps it. */
    async jobs(where = 'true') {
      const { rows } = await owner.query(
        `select id, name, data, state, group_id, group_tier, start_after, retry_limit, retry_count
         from pgboss.job_common where ${where} order by created_on, id`,
      )
      return rows
    },
    /** Failed jobs need not wait for their next attempt. */
    hurry: () => owner.query(`update pgboss.job_common set start_after = now() where state = 'retry'`),
  }
}

export async function until(isSo: () => boolean | Promise<boolean>, seconds = 10): Promise<void> {
  const end = Date.now() + seconds * 1_000
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`It did not happen within ${seconds} seconds.`)
    await sleep(20)
  }
}
