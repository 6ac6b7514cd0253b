import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { registerModelMetrics } from '#platform/ai'
import type { Config } from '#platform/config'
import { assertSafeRole, listPendingMigrations, poolUsage } from '#platform/db'
import { createMetrics, measureRequests, startMetricsServer, startTracing } from '#platform/telemetry'
import { buildApp } from './app.ts'
import { openServices } from './services.ts'
import { stopOnSignal } from './stop-on-signal.ts'

export async function serve(config: Config): Promise<void> {
  const { services, close } = await openServices(config)
  const { log, db, jobQueue, lifecycle } = services
  const tracing = await startTracing(config, log)
  await assertSafeRole(db)
  await assertSchemaIsCurrent(config)
  await jobQueue.start()

  const metrics = createMetrics()
  metrics.gauge({
    name: 'db_pool_connections',
    help: 'Connections of the request pool by state.',
    labels: ['state'],
    read: () => {
      const { in_use, idle, waiting } = poolUsage(db)
      return Object.entries({ in_use, idle, waiting }).map(([state, value]) => ({ labels: { state }, value }))
    },
  })
  registerModelMetrics(metrics, services.models)
  const app = await buildApp(services, async (emptyApp) => {
    await emptyApp.register(measureRequests, { metrics })
  })
  await app.listen({ host: config.HOST, port: config.PORT })
  const metricsServer = await startMetricsServer({ metrics, port: config.METRICS_PORT, host: config.HOST })
  lifecycle.state = 'ready'
  const { port } = app.server.address() as AddressInfo
  log.info({ port, metrics_port: metricsServer.port }, 'API server started')

  await stopOnSignal(log, async () => {
    lifecycle.state = 'draining'
    await sleep(config.DRAIN_SECONDS * 1_000)
    await app.close()
    await metricsServer.close()
    await close()
    await tracing.stop()
  })
}

/** Fails at startup instead of at the first request that needs a missing migration. */
async function assertSchemaIsCurrent({ DATABASE_URL }: Config): Promise<void> {
  const pending = await listPendingMigrations(DATABASE_URL)
  if (pending.length) throw new Error(`The database has pending migrations. Run migrate first (${pending.join(', ')}).`)
}
