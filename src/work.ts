import { measureAnswers } from '#platform/ai'
import type { Config } from '#platform/config'
import { refuseUnsafeRole } from '#platform/db'
import { queueStats, startJobs, stopJobs } from '#platform/jobs'
import { openMetrics, serveMetrics, startTracing } from '#platform/telemetry'
import { stopOnSignal } from './process.ts'
import { openServices } from './services.ts'
import { startWorker } from './worker.ts'

/** Works on jobs until it is asked to stop. */
export async function work(config: Config): Promise<void> {
  const { services, close } = await openServices(config)
  const { log, db } = services
  const tracing = await startTracing(config, log)
  await refuseUnsafeRole(db)
  await startJobs({ systemUrl: config.DATABASE_SYSTEM_URL, log })
  const worker = await startWorker(services)

  const metrics = openMetrics()
  metrics.gauge({
    name: 'jobs_ready',
    help: 'Jobs that wait to be run, by queue.',
    labels: ['queue'],
    read: async () => (await queueStats()).map(({ name, ready }) => ({ labels: { queue: name }, value: ready })),
  })
  measureAnswers(metrics, services.models)
  const metricsServer = await serveMetrics({ metrics, port: config.METRICS_PORT, host: config.HOST })
  services.lifecycle.state = 'ready'
  log.info({ metrics_port: metricsServer.port }, 'working')

  await stopOnSignal(log, async () => {
    await worker.stop()
    await metricsServer.close()
    await stopJobs()
    await close()
    await tracing.stop()
  })
}
