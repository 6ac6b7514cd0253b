import { registerModelMetrics } from '#platform/ai'
import type { Config } from '#platform/config'
import { assertSafeRole } from '#platform/db'
import { warnAboutWeakIsolation } from '#platform/files'
import { limitRetriesAfterStandstill, registerJobMetrics } from '#platform/jobs'
import { registerOutboxMetrics } from '#platform/outbox'
import { createMetrics, startMetricsServer, startTracing } from '#platform/telemetry'
import { startWatchdog } from '#platform/watchdog'
import { openServices } from './services.ts'
import { startWorker } from './start-worker.ts'
import { assertDatabaseIsReady, warnAboutMailServer, warnAboutNewerSchema, withVariable } from './startup.ts'
import { stopOnSignal } from './stop-on-signal.ts'

export async function runWorker(config: Config): Promise<void> {
  const newer = await assertDatabaseIsReady(config)
  const { services, close } = await openServices(config, { kind: 'worker' })
  const { log, db, jobQueue } = services
  warnAboutNewerSchema(log, newer)
  await warnAboutWeakIsolation(log)
  if (config.SMTP_URL) void warnAboutMailServer(log, services.mailer)
  const tracing = await startTracing(config, log)
  await assertSafeRole(db)
  const handler = limitRetriesAfterStandstill(config.DATABASE_SYSTEM_URL)
  const watchdog = startWatchdog({ seconds: config.WATCHDOG_SECONDS, handler })
  await jobQueue.start()
  const metrics = createMetrics()
  const worker = await startWorker(services, { measureJob: registerJobMetrics(metrics, jobQueue) })
  registerOutboxMetrics(metrics, worker.systemDb)
  registerModelMetrics(metrics, services.models)
  const metricsServer = await withVariable('METRICS_PORT', () =>
    startMetricsServer({ metrics, port: config.METRICS_PORT, host: config.HOST }),
  )
  services.lifecycle.state = 'ready'
  log.info({ metrics_port: metricsServer.port }, 'worker started')

  await stopOnSignal(log, async () => {
    await worker.stop()
    await metricsServer.close()
    await close()
    await tracing.stop()
    await watchdog.stop()
  })
}
