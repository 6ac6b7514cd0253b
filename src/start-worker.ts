import { getTenantStatus } from '#modules/identity'
import { createSealSigner } from '#platform/audit'
import { connectSystem, disconnect, listen } from '#platform/db'
import { type JobRun, type MeasureJob, poolLimitsOf, startJobWorker } from '#platform/jobs'
import type { Services } from '#platform/module'
import { deliverEventHandlers, startConsumerRegistration, startRelay } from '#platform/outbox'
import type { UsageCounter } from '#platform/usage'
import { platformSchedules } from './schedules.ts'

export async function startWorker(services: Services, { measureJob }: { measureJob?: MeasureJob } = {}) {
  const { modules } = services.registry
  const { config, db, log } = services
  const signer = createSealSigner(config)
  const systemDb = connectSystem(config.DATABASE_SYSTEM_URL, {
    ...poolLimitsOf('worker', config).system,
    sameInstanceAs: db,
    onError: (err) => log.warn({ err }, 'a database connection of the worker was lost'),
  })
  const listener = await listen(config.DATABASE_SYSTEM_URL)
  const registration = await startConsumerRegistration({ systemDb, log })
  const relay = await startRelay({ systemDb, listener, log })
  const jobWorker = await startJobWorker({
    systemUrl: config.DATABASE_SYSTEM_URL,
    db,
    systemDb,
    listener,
    log,
    measureJob: (run) => {
      measureJob?.(run)
      countJob(services.usage, run)
    },
    handlers: [...deliverEventHandlers, ...modules.flatMap((module) => module.jobs?.(services) ?? [])],
    schedules: [
      ...platformSchedules({ systemDb, clock: services.clock, signer }),
      ...modules.flatMap((module) => module.schedules?.(services) ?? []),
    ],
    getTenantStatus: (tenantId) => getTenantStatus(systemDb, tenantId),
  })
  return {
    systemDb,
    async stop() {
      registration.stop()
      await Promise.all([relay.stop(), jobWorker.stop()])
      await listener.close()
      await disconnect(systemDb)
    },
  }
}

function countJob(usage: UsageCounter, { tenantId, outcome }: JobRun): void {
  if (tenantId === null) return
  if (outcome === 'succeeded') usage.count(tenantId, 'jobs_succeeded')
  if (outcome === 'failed' || outcome === 'dead_lettered') usage.count(tenantId, 'jobs_failed')
}
