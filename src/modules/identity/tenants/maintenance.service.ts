import { operatorActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { enterTenant, type SystemTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { lockTenantBySlug, type TenantRow, updateTenantRow } from './tenants.queries.ts'

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
  const { id, slug: label } = tenant
  const after = await updateTenantRow(tx, id, { maintenance })
  const tenantTx = await enterTenant(tx, operatorActor(id))
  const action = maintenance === null ? 'tenant.maintenance_ended' : 'tenant.maintenance_started'
  await recordAudit(tenantTx, action, { id, label, before: tenant, after })
  return after
}
