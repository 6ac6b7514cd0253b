import type { TenantTx } from '#platform/db'
import { getTenant } from './tenants.queries.ts'
import type { TenantLimits } from './tenants.rules.ts'

const defaultQuotaBytes = 100 * 1_024 ** 3

export async function readStorageQuota(tx: TenantTx): Promise<number> {
  const { limits } = await getTenant(tx)
  return (limits as TenantLimits).storage_quota_bytes ?? defaultQuotaBytes
}
