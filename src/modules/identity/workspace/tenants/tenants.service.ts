import { operatorActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import { enterTenant, type SystemTx, type TenantTx, violatedConstraint } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { tenantRenamed, tenantResumed, tenantSuspended } from '../../identity.events.ts'
import {
  countUsersByStatus,
  deleteTombstone,
  findTombstone,
  getTenant,
  getTenantBySlug,
  insertTombstone,
  lockTenantBySlug,
  revokeAllApiKeys,
  revokeAllSessions,
  type TenantRow,
  updateTenantRow,
} from './tenants.queries.ts'
import {
  applyLimits,
  assertRestorable,
  assertSlugConfirmed,
  assertSlugNotBlocked,
  assertTenantTransition,
  assertValidSlug,
  type OperatorContext,
  parseLimits,
  slugTaken,
  type TenantLimits,
} from './tenants.rules.ts'

const blockedDays = 90

export async function getTenantDetails(tx: SystemTx, slug: string) {
  const tenant = await getTenantBySlug(tx, slug)
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  const counts = await countUsersByStatus(tenantTx)
  return { tenant, users: Object.fromEntries(counts.map(({ status, count }) => [status, count])) }
}

/** Blocks access and pauses jobs; no data is deleted. */
export async function suspendTenant(tx: SystemTx, slug: string, reason: string): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  assertTenantTransition(tenant, 'suspended')

  const suspended = await updateTenantRow(tx, tenant.id, { status: 'suspended', status_reason: reason })
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  await recordAudit(tenantTx, 'tenant.suspended', {
    id: tenant.id,
    label: slug,
    before: tenant,
    after: suspended,
    reason,
  })
  await emit(tenantTx, tenantSuspended, suspended, {})
  return suspended
}

export async function resumeTenant(tx: SystemTx, slug: string): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  assertTenantTransition(tenant, 'active')

  const resumed = await updateTenantRow(tx, tenant.id, { status: 'active', status_reason: null })
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  await recordAudit(tenantTx, 'tenant.resumed', { id: tenant.id, label: slug, before: tenant, after: resumed })
  await emit(tenantTx, tenantResumed, resumed, {})
  return resumed
}

/** Changes the slug and revokes all sessions, because cookies and links are bound to the old host. */
export async function renameTenant(tx: SystemTx, from: string, to: string, { config, now }: OperatorContext) {
  assertValidSlug(to, config.RESERVED_SLUGS)
  const tenant = await lockTenantBySlug(tx, from)
  if (tenant.status === 'deleting') throw conflict('conflict', `The workspace ${from} is being deleted.`)
  if (from === to) throw slugTaken(to)

  const renamed = await updateSlug(tx, tenant, to)
  // Checked after the update, which waits for transactions that release this slug.
  assertSlugNotBlocked(to, await findTombstone(tx, to), now, tenant.id)
  await deleteTombstone(tx, to)
  await insertTombstone(tx, toTombstone(tenant, now))
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  const sessionsEnded = await revokeAllSessions(tenantTx, 'tenant_renamed', now)
  await recordAudit(tenantTx, 'tenant.renamed', { id: tenant.id, label: to, before: tenant, after: renamed })
  await emit(tenantTx, tenantRenamed, renamed, { from, to })
  return { tenant: renamed, sessionsEnded }
}

async function updateSlug(tx: SystemTx, { id }: TenantRow, to: string): Promise<TenantRow> {
  try {
    return await updateTenantRow(tx, id, { slug: to })
  } catch (error) {
    if (violatedConstraint(error) === 'tenants_slug_unique') throw slugTaken(to)
    throw error
  }
}

export const toTombstone = ({ id, slug }: TenantRow, now: Date) => ({
  slug,
  released_tenant: id,
  released_at: now,
  blocked_until: daysLater(now, blockedDays),
})

type DeleteTenantOptions = { confirm: string | undefined; graceDays: number; now: Date }

/** Blocks access and schedules the purge; the workspace can be restored during the grace period. */
export async function deleteTenant(tx: SystemTx, slug: string, { confirm, graceDays, now }: DeleteTenantOptions) {
  const tenant = await lockTenantBySlug(tx, slug)
  assertTenantTransition(tenant, 'deleting')
  assertSlugConfirmed(slug, confirm)

  const deleting = await updateTenantRow(tx, tenant.id, {
    status: 'deleting',
    status_reason: null,
    delete_after: daysLater(now, graceDays),
  })
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  const sessionsEnded = await revokeAllSessions(tenantTx, 'tenant_deleted', now)
  const keysRevoked = await revokeAllApiKeys(tenantTx, 'tenant_deleted', now)
  await recordAudit(tenantTx, 'tenant.deleted', { id: tenant.id, label: slug, before: tenant, after: deleting })
  return { tenant: deleting, sessionsEnded, keysRevoked }
}

/** The workspace is suspended afterwards; resume it separately. */
export async function restoreTenant(tx: SystemTx, slug: string, now: Date): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  assertRestorable(tenant, now)

  const restored = await updateTenantRow(tx, tenant.id, {
    status: 'suspended',
    status_reason: 'restored from deletion',
    delete_after: null,
  })
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  await recordAudit(tenantTx, 'tenant.restored', { id: tenant.id, label: slug, before: tenant, after: restored })
  return restored
}

export async function setTenantLimits(tx: SystemTx, slug: string, assignments: string[]): Promise<TenantRow> {
  const changes = parseLimits(assignments)
  const tenant = await lockTenantBySlug(tx, slug)

  const limits = applyLimits(tenant.limits as TenantLimits, changes)
  const updated = await updateTenantRow(tx, tenant.id, { limits: JSON.stringify(limits) })
  const tenantTx = await enterTenant(tx, operatorActor(tenant.id))
  await recordAudit(tenantTx, 'tenant.limited', { id: tenant.id, label: slug, before: tenant, after: updated })
  return updated
}

/** Usage events that the workspace may send per month; null if the operator has set no limit. */
export async function readEventLimit(tx: TenantTx): Promise<number | null> {
  const { limits } = await getTenant(tx)
  return (limits as TenantLimits).monthly_event_limit ?? null
}

const defaultQuotaBytes = 100 * 1_024 ** 3

export async function readStorageQuota(tx: TenantTx): Promise<number> {
  const { limits } = await getTenant(tx)
  return (limits as TenantLimits).storage_quota_bytes ?? defaultQuotaBytes
}
