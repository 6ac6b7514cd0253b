import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Actor, scopesOfRole } from '#platform/access'
import { inTenant, listen } from '#platform/db'
import { type JobHandler, type Work, workOnJobs } from '#platform/jobs'
import { startTask } from '#platform/tasks'
import { type Person, startTestApp } from '#testing'
import { doingRows, doRows, makeRowsTable } from './rows-task.stand-in.ts'

/** The application, a table to work on, and workers that know how. */
export async function startTasksApp() {
  const test = await startTestApp()
  const { services, database, owner, db, systemDb } = test
  await makeRowsTable(owner)
  const stops: (() => Promise<void>)[] = []

  async function startWorker(handlers: JobHandler[] = [doingRows], more: Partial<Work> = {}) {
    const listener = await listen(database.systemUrl)
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const working = await workOnJobs({
      ...{ systemUrl: database.systemUrl, db, systemDb, handlers, listener, log },
      tenantStatus: async () => 'active',
      pollSeconds: 0.5,
      ...more,
    })
    const stop = async () => {
      await working.stop()
      await listener.close()
    }
    stops.push(stop)
    return { stop }
  }
  after(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  /** Rows of a tenant, and somebody who starts the work on them. */
  async function startRows(tenantId: string, by: Actor, { rows = 500, batch_size = 25, pause_ms = 20 } = {}) {
    await owner.query(
      'insert into test_rows (tenant_id, number) select $1, generate_series(1, $2::int) on conflict do nothing',
      [tenantId, rows],
    )
    return await inTenant(services.db, by, (tx) =>
      startTask(tx, doRows, { rows, batch_size, pause_ms }, { title: `Do ${rows} rows`, total: rows }),
    )
  }
  return { ...test, startWorker, startRows }
}

export const actorFor = (tenantId: string, { userId, sessionId, role }: Person): Actor => ({
  ...{ tenantId, type: 'user', userId, role, sessionId, actorUserId: null, apiKeyId: null, trace: null, origin: 'api' },
  scopes: scopesOfRole(role),
})

export async function until<T>(look: () => Promise<T>, isSo: (seen: T) => boolean, seconds = 15): Promise<T> {
  const end = Date.now() + seconds * 1_000
  for (;;) {
    const seen = await look()
    if (isSo(seen)) return seen
    if (Date.now() > end) throw new Error(`It did not happen within ${seconds} seconds: ${JSON.stringify(seen)}`)
    await sleep(20)
  }
}
