import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { registerModelMetrics } from '#platform/ai'
import type { Config } from '#platform/config'
import { assertSafeRole, connectSystem, disconnect, poolUsage } from '#platform/db'
import { measureRequests } from '#platform/http'
import { poolLimitsOf } from '#platform/jobs'
import { registerOutboxMetrics, startConsumerRegistration } from '#platform/outbox'
import { createMetrics, registerClientErrorMetrics, startMetricsServer, startTracing } from '#platform/telemetry'
import { startWatchdog } from '#platform/watchdog'
import { buildApp } from './app.ts'
import { openServices } from './services.ts'
import { assertDatabaseIsReady, warnAboutNewerSchema, warnAboutWebFiles, withVariable } from './startup.ts'
import { stopOnSignal } from './stop-on-signal.ts'

export async function serve(config: Config): Promise<void> {
  const newer = await assertDatabaseIsReady(config)
  const { services, close } = await openServices(config)
  const { log, db, jobQueue, lifecycle } = services
  warnAboutNewerSchema(log, newer)
  warnAboutWebFiles(log, services.applicationFiles)
  const tracing = await startTracing(config, log)
  await assertSafeRole(db)
  const watchdog = startWatchdog({ seconds: config.WATCHDOG_SECONDS })
  await jobQueue.start()
  if (config.AUDIT_SEAL_KEYS) log.warn('AUDIT_SEAL_KEYS is set for the API, but only workers should have it')
  const systemDb = connectSystem(config.DATABASE_SYSTEM_URL, {
    ...poolLimitsOf('api', config).system,
    sameInstanceAs: db,
  })
  const registration = await startConsumerRegistration({ systemDb, log })

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
  registerOutboxMetrics(metrics, systemDb)
  registerClientErrorMetrics(metrics, services.clientErrors)
  const app = await buildApp(services, async (emptyApp) => measureRequests(emptyApp, metrics))
  const metricsServer = await withVariable('METRICS_PORT', () =>
    startMetricsServer({ metrics, port: config.METRICS_PORT, host: config.HOST }),
  )
  await withVariable('PORT', () => app.listen({ host: config.HOST, port: config.PORT }))
  lifecycle.state = 'ready'
  const { port } = app.server.address() as AddressInfo
  log.info({ port, metrics_port: metricsServer.port }, 'API server started')

  await stopOnSignal(log, async () => {
    lifecycle.state = 'draining'
    await sleep(config.DRAIN_SECONDS * 1_000)
    await app.close()
    await metricsServer.close()
    registration.stop()
    await disconnect(systemDb)
    await close()
    await tracing.stop()
    await watchdog.stop()
  })
}
