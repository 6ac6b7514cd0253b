import { tenantStatus } from '#modules/identity'
import { connectSystem, disconnect, listen } from '#platform/db'
import { workOnJobs } from '#platform/jobs'
import type { Services } from '#platform/module'
import { deliveringEvents, registerSubscriptions, startRelay } from '#platform/outbox'
import { modules } from './modules.ts'
import { platformSchedules } from './schedules.ts'

/** The job worker, assembled from the modules: runs what was ordered, passes events on, follows the timetable. */
export async function startWorker(services: Services) {
  const { config, db, log } = services
  registerSubscriptions(modules.flatMap(({ subscriptions = [] }) => subscriptions))
  const systemDb = connectSystem(config.DATABASE_SYSTEM_URL, {
    onTrouble: (err) => log.warn({ err }, 'a database connection of the worker was lost'),
  })
  const listener = await listen(config.DATABASE_SYSTEM_URL)
  const relay = await startRelay({ systemDb, listener, log })
  const work = await workOnJobs({
    systemUrl: config.DATABASE_SYSTEM_URL,
    db,
    systemDb,
    listener,
    log,
    handlers: [deliveringEvents, ...modules.flatMap((module) => module.jobs?.(services) ?? [])],
    schedules: [
      ...platformSchedules(systemDb, services.clock),
      ...modules.flatMap((module) => module.schedules?.(services) ?? []),
    ],
    tenantStatus: (tenantId) => tenantStatus(systemDb, tenantId),
  })
  return {
    systemDb,
    async stop() {
      await relay.stop()
      await work.stop()
      await listener.close()
      await disconnect(systemDb)
    },
  }
}
