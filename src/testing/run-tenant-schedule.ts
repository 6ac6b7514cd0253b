import { systemActor } from '#platform/access'
import { type Db, inSystem, inTenant, type SystemDb, type SystemTx } from '#platform/db'
import type { TenantSchedule } from '#platform/jobs'

export async function runTenantSchedule(
  handles: { db: Db; systemDb: SystemDb },
  schedule: TenantSchedule,
  onError: (fields: object) => void = () => {},
) {
  const { db, systemDb } = handles
  for (const tenantId of await inSystem(systemDb, (tx) => schedule.listTenants(tx, new Date(0))))
    await schedule.runForTenant({
      tenantId,
      attempt: 1,
      signal: new AbortController().signal,
      inSystem: <T>(work: (tx: SystemTx) => Promise<T>) => inSystem(systemDb, work),
      inTenant: (work) => inTenant(db, systemActor(tenantId), work),
      inTenantAsSystem: () => Promise.reject(new Error('unused')),
      requeue: () => Promise.reject(new Error('There is no job.')),
      detach: () => {},
      isPaused: async () => false,
      log: { info: () => {}, warn: () => {}, error: onError },
    })
}
