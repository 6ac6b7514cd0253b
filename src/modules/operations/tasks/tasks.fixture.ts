import { after } from 'node:test'
import { type Actor, scopesOfRole } from '#platform/access'
import { inTenant, listen } from '#platform/db'
import { type JobHandler, type JobWorkerOptions, startJobWorker } from '#platform/jobs'
import { startTask } from '#platform/tasks'
import { startTestApp, type TestUser } from '#testing'
import { createRowsTable, processRows, processRowsHandler } from './rows-task.stand-in.ts'

export async function startTasksApp() {
  const test = await startTestApp({}, { isOwn: true })
  const { services, database, owner, db, systemDb } = test
  await createRowsTable(owner)
  const stops: (() => Promise<void>)[] = []

  async function startWorker(handlers: JobHandler[] = [processRowsHandler], options: Partial<JobWorkerOptions> = {}) {
    const listener = await listen(database.systemUrl)
    const log = { info: () => {}, warn: () => {}, error: () => {} }
    const worker = await startJobWorker({
      systemUrl: database.systemUrl,
      db,
      systemDb,
      handlers,
      listener,
      log,
      getTenantStatus: async () => 'active',
      pollSeconds: 0.5,
      ...options,
    })
    const stop = async () => {
      await worker.stop()
      await listener.close()
    }
    stops.push(stop)
    return { stop }
  }
  after(async () => {
    for (const stop of stops.splice(0)) await stop()
  })

  async function startRowsTask(tenantId: string, actor: Actor, { rows = 500, batch_size = 25, pause_ms = 20 } = {}) {
    await owner.query(
      'insert into test_rows (tenant_id, number) select $1, generate_series(1, $2::int) on conflict do nothing',
      [tenantId, rows],
    )
    return await inTenant(services.db, actor, (tx) =>
      startTask(tx, processRows, { rows, batch_size, pause_ms }, { title: `Process ${rows} rows`, total: rows }),
    )
  }
  return { ...test, startWorker, startRowsTask }
}

export const actorFor = (tenantId: string, { userId, sessionId, role }: TestUser): Actor => ({
  tenantId,
  type: 'user',
  userId,
  role,
  sessionId,
  actorUserId: null,
  apiKeyId: null,
  trace: null,
  origin: 'api',
  scopes: scopesOfRole(role),
})
