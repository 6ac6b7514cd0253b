import { inSystem, type SystemDb } from '#platform/db'
import { findTenantStatus } from './tenants.queries.ts'

/** Whether jobs of a tenant may run. A workspace that is being deleted can still be restored, so its jobs wait as well. */
export async function tenantStatus(systemDb: SystemDb, tenantId: string): Promise<'active' | 'suspended' | 'gone'> {
  const status = await inSystem(systemDb, (tx) => findTenantStatus(tx, tenantId))
  if (status === undefined) return 'gone'
  return status === 'active' ? 'active' : 'suspended'
}
