import { sql } from 'kysely'
import type { SystemTx, TenantTx } from '#platform/db'

type WarningWindow = { now: Date; soon: Date }

export async function listTenantsWithExpiringKeys(tx: SystemTx, { now, soon }: WarningWindow): Promise<string[]> {
  const tenants = await tx
    .selectFrom('identity.api_keys')
    .select('tenant_id')
    .distinct()
    .where('revoked_at', 'is', null)
    .where('expiry_announced_at', 'is', null)
    .where('expires_at', '<=', soon)
    .where((eb) => eb.or([eb('expires_at', '<=', now), eb('expiry_warned_at', 'is', null)]))
    .execute()
  return tenants.map(({ tenant_id }) => tenant_id)
}

const isRotated = sql<boolean>`exists (
  select from identity.api_keys successor where successor.rotated_from_id = api_keys.id)`

export function listExpiredKeys(tx: TenantTx, now: Date, limit: number) {
  return tx
    .selectFrom('identity.api_keys')
    .select(['id', 'name', 'created_by', isRotated.as('is_rotated')])
    .where('revoked_at', 'is', null)
    .where('expiry_announced_at', 'is', null)
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute()
}

export async function markExpiryAnnounced(tx: TenantTx, ids: readonly string[], now: Date): Promise<void> {
  await tx
    .updateTable('identity.api_keys')
    .set({ expiry_announced_at: now })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export function markExpiryWarned(tx: TenantTx, { now, soon }: WarningWindow, limit: number) {
  const due = tx
    .selectFrom('identity.api_keys')
    .select('id')
    .where('revoked_at', 'is', null)
    .where('expiry_announced_at', 'is', null)
    .where('expiry_warned_at', 'is', null)
    .where('expires_at', '>', now)
    .where('expires_at', '<=', soon)
    .limit(limit)
  return tx
    .updateTable('identity.api_keys')
    .set({ expiry_warned_at: now })
    .where('id', 'in', () => due)
    .returning(['id', 'name', 'key_prefix', 'expires_at', 'created_at', 'created_by', isRotated.as('is_rotated')])
    .execute()
}
