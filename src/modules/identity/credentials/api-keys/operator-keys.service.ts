import { operatorActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { enterTenant, type SystemTx } from '#platform/db'
import { lockTenantBySlug } from '../../workspace/tenants/tenants.queries.ts'
import { getApiKeyRow, lockApiKeys, updateApiKeyRow } from './api-keys.queries.ts'
import { revokeKeys } from './api-keys.service.ts'

export async function limitApiKey(tx: SystemTx, slug: string, id: string, requestsPerMinute: number | null) {
  const { tenant, tenantTx, key } = await enterTenantWithKey(tx, slug, id)
  const { requests_per_minute } = key

  await updateApiKeyRow(tenantTx, id, { requests_per_minute: requestsPerMinute })
  await recordAudit(tenantTx, 'api_key.limited', {
    id,
    label: key.name,
    before: { requests_per_minute },
    after: { requests_per_minute: requestsPerMinute },
  })
  return { tenant, key }
}

export async function revokeKeyAsOperator(tx: SystemTx, slug: string, id: string) {
  const { tenant, tenantTx, key } = await enterTenantWithKey(tx, slug, id)
  return { tenant, key, revoked: await revokeKeys(tenantTx, [id], 'operator') }
}

async function enterTenantWithKey(tx: SystemTx, slug: string, id: string) {
  const tenant = await lockTenantBySlug(tx, slug)
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  await lockApiKeys(tenantTx)
  return { tenant, tenantTx, key: await getApiKeyRow(tenantTx, id) }
}
