import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { measureAnswers } from '#platform/ai'
import type { Config } from '#platform/config'
import { pendingMigrations, poolUsage, refuseUnsafeRole } from '#platform/db'
import { startJobs, stopJobs } from '#platform/jobs'
import { measureRequests, openMetrics, serveMetrics, startTracing } from '#platform/telemetry'
import { buildApp } from './app.ts'
import { stopOnSignal } from './process.ts'
import { openServices } from './services.ts'

/** Serves the API until it is asked to stop. */
export async function serve(config: Config): Promise<void> {
  const { services, close } = await openServices(config)
  const { log, db, lifecycle } = services
  const tracing = await startTracing(config, log)
  await refuseUnsafeRole(db)
  await refuseOldSchema(config)
  await startJobs({ systemUrl: config.DATABASE_SYSTEM_URL, log })

  const metrics = openMetrics()
  metrics.gauge({
    name: 'db_pool_connections',
    help: 'Connections of the request pool.',
    labels: ['state'],
    read: () => {
      const { in_use, idle, waiting } = poolUsage(db)
      return Object.entries({ in_use, idle, waiting }).map(([state, value]) => ({ labels: { state }, value }))
    },
  })
  measureAnswers(metrics, services.models)
  const app = await buildApp(services, async (empty) => {
    await empty.register(measureRequests, { metrics })
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  const metricsServer = await serveMetrics({ metrics, port: config.METRICS_PORT, host: config.HOST })
  lifecycle.state = 'ready'
  const { port } = app.server.address() as AddressInfo
  log.info({ port, metrics_port: metricsServer.port }, 'serving')

  await stopOnSignal(log, async () => {
    lifecycle.state = 'draining'
    await sleep(config.DRAIN_SECONDS * 1_000)
    await app.close()
    await metricsServer.close()
    await stopJobs()
    await close()
    await tracing.stop()
  })
}

/** A half-migrated database breaks at the first request; better not to answer any. */
async function refuseOldSchema({ DATABASE_URL }: Config): Promise<void> {
  const pending = await pendingMigrations(DATABASE_URL)
  if (pending.length) throw new Error(`The database is behind: run migrate first (${pending.join(', ')}).`)
}
