import { operatorIn } from '#platform/access'
import { record } from '#platform/audit'
import { enterTenant, type SystemTx } from '#platform/db'
import { lockTenantBySlug } from '../tenants/tenants.queries.ts'
import { changeKeyFields, getKey, lockKeys } from './api-keys.queries.ts'
import { revokeKeys } from './api-keys.service.ts'

/** How many requests a key may make in a minute; null is what every key may. Binds on its next request. */
export async function limitApiKey(tx: SystemTx, slug: string, id: string, requestsPerMinute: number | null) {
  const { tenant, inside, key } = await enterWithKey(tx, slug, id)
  const { requests_per_minute } = key

  await changeKeyFields(inside, id, { requests_per_minute: requestsPerMinute })
  await record(inside, 'api_key.limited', {
    id,
    label: key.name,
    before: { requests_per_minute },
    after: { requests_per_minute: requestsPerMinute },
  })
  return { tenant, key }
}

/** Tells how many were revoked: none, if the key was already. */
export async function revokeKeyAsOperator(tx: SystemTx, slug: string, id: string) {
  const { tenant, inside, key } = await enterWithKey(tx, slug, id)
  return { tenant, key, revoked: await revokeKeys(inside, [id], 'operator') }
}

async function enterWithKey(tx: SystemTx, slug: string, id: string) {
  const tenant = await lockTenantBySlug(tx, slug)
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  await lockKeys(inside)
  return { tenant, inside, key: await getKey(inside, id) }
}
