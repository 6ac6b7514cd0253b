import { inSystem, type SystemDb } from '#platform/db'
import type { TenantStatus } from '#platform/jobs'
import { findTenantStatus } from './tenants.queries.ts'

/** Status for the job queue. A workspace in deletion counts as suspended, because it can still be restored. */
export async function getTenantStatus(systemDb: SystemDb, tenantId: string): Promise<TenantStatus> {
  const tenant = await inSystem(systemDb, (tx) => findTenantStatus(tx, tenantId))
  if (!tenant) return 'gone'
  if (tenant.status !== 'active') return 'suspended'
  return tenant.maintenance === null ? 'active' : 'maintenance'
}
