import { inSystem, type SystemDb } from '#platform/db'
import { findTenantStatus } from './tenants.queries.ts'

/** Status for the job queue. A workspace in deletion counts as suspended, because it can still be restored. */
export async function getTenantStatus(systemDb: SystemDb, tenantId: string): Promise<'active' | 'suspended' | 'gone'> {
  const status = await inSystem(systemDb, (tx) => findTenantStatus(tx, tenantId))
  if (status === undefined) return 'gone'
  return status === 'active' ? 'active' : 'suspended'
}
