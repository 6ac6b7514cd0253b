import { systemActor } from '#platform/access'
import { type Db, inSystem, inTenant, type SystemDb, type SystemTx } from '#platform/db'
import type { TenantSchedule } from '#platform/jobs'

/** The workspaces of the current file, by the database that the files of a process share. */
const tenantsOfFile = new WeakMap<SystemDb, Set<string>>()

/** Returns the set of the workspaces of the current file. */
export function trackTenants(systemDb: SystemDb): Set<string> {
  const tenants = tenantsOfFile.get(systemDb) ?? new Set()
  tenantsOfFile.set(systemDb, tenants)
  return tenants
}

/** Runs a schedule for the workspaces that it lists, without those of other files, which may have much work. */
export async function runTenantSchedule(
  handles: { db: Db; systemDb: SystemDb },
  schedule: TenantSchedule,
  onError: (fields: object) => void = () => {},
) {
  const { db, systemDb } = handles
  const ownTenants = tenantsOfFile.get(systemDb)
  const listed = await inSystem(systemDb, (tx) => schedule.listTenants(tx, new Date(0)))
  for (const tenantId of listed.filter((id) => !ownTenants || ownTenants.has(id)))
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
