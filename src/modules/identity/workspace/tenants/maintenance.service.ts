import { operatorActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { enterTenant, type SystemTx, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { lockTenantBySlug, type TenantRow, updateOwnMaintenance, updateTenantRow } from './tenants.queries.ts'

/** Rejects writes from the next request on and pauses jobs; reads, sign-in and administration continue. */
export async function startMaintenance(tx: SystemTx, slug: string, reason: string): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  if (tenant.status !== 'active') throw conflict('conflict', `The workspace ${slug} is ${tenant.status}.`)
  if (tenant.maintenance !== null)
    throw conflict('conflict', `The workspace ${slug} is already in maintenance: ${tenant.maintenance}`)
  return await updateMaintenance(tx, tenant, reason)
}

export async function endMaintenance(tx: SystemTx, slug: string): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  if (tenant.status === 'deleting') throw conflict('conflict', `The workspace ${slug} is being deleted.`)
  if (tenant.maintenance === null) throw conflict('conflict', `The workspace ${slug} is not in maintenance.`)
  return await updateMaintenance(tx, tenant, null)
}

async function updateMaintenance(tx: SystemTx, tenant: TenantRow, maintenance: string | null): Promise<TenantRow> {
  const after = await updateTenantRow(tx, tenant.id, { maintenance })
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  await recordMaintenance(tenantTx, tenant, after)
  return after
}

export async function startOwnMaintenance(tx: TenantTx, tenant: TenantRow, reason: string): Promise<void> {
  if (tenant.maintenance !== null)
    throw conflict('conflict', 'The workspace is in maintenance. Try again when it has ended.')
  await recordMaintenance(tx, tenant, await updateOwnMaintenance(tx, reason))
}

/** Leaves maintenance that was started for another reason as it is. */
export async function endOwnMaintenance(tx: TenantTx, tenant: TenantRow, reason: string): Promise<void> {
  if (tenant.maintenance !== reason) return
  await recordMaintenance(tx, tenant, await updateOwnMaintenance(tx, null))
}

function recordMaintenance(tx: TenantTx, before: TenantRow, after: TenantRow): Promise<void> {
  const action = after.maintenance === null ? 'tenant.maintenance_ended' : 'tenant.maintenance_started'
  return recordAudit(tx, action, { id: after.id, label: after.slug, before, after })
}
