import { operatorIn } from '#platform/access'
import { record } from '#platform/audit'
import { daysLater } from '#platform/clock'
import { enterTenant, type SystemTx, violatedConstraint } from '#platform/db'
import { conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { tenantRenamed, tenantResumed, tenantSuspended } from '../identity.events.ts'
import {
  changeTenant,
  countUsersByStatus,
  deleteTombstone,
  endAllSessions,
  findTombstone,
  getTenantBySlug,
  insertTombstone,
  lockTenantBySlug,
  revokeAllKeys,
  type TenantRow,
} from './tenants.queries.ts'
import {
  assertConfirmed,
  assertNotBlocked,
  assertRestorable,
  assertTransition,
  assertUsableSlug,
  type Circumstances,
  changedLimits,
  readLimits,
  slugTaken,
  type TenantLimits,
} from './tenants.rules.ts'

/** How long nobody else gets an address that was given up. */
const blockedDays = 90

export async function describeTenant(tx: SystemTx, slug: string) {
  const tenant = await getTenantBySlug(tx, slug)
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  const counts = await countUsersByStatus(inside)
  return { tenant, users: Object.fromEntries(counts.map(({ status, count }) => [status, count])) }
}

/** Closes the workspace for the time being: nobody gets in, its jobs wait, and nothing of it is lost. */
export async function suspendTenant(tx: SystemTx, slug: string, reason: string): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  assertTransition(tenant, 'suspended')

  const suspended = await changeTenant(tx, tenant.id, { status: 'suspended', status_reason: reason })
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  await record(inside, 'tenant.suspended', { id: tenant.id, label: slug, before: tenant, after: suspended, reason })
  await emit(inside, tenantSuspended, suspended, {})
  return suspended
}

export async function resumeTenant(tx: SystemTx, slug: string): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  assertTransition(tenant, 'active')

  const resumed = await changeTenant(tx, tenant.id, { status: 'active', status_reason: null })
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  await record(inside, 'tenant.resumed', { id: tenant.id, label: slug, before: tenant, after: resumed })
  await emit(inside, tenantResumed, resumed, {})
  return resumed
}

/** Moves the workspace to another address. Everyone signs in again there, since cookies and links end with the old one. */
export async function renameTenant(tx: SystemTx, from: string, to: string, { config, now }: Circumstances) {
  assertUsableSlug(to, config.RESERVED_SLUGS)
  const tenant = await lockTenantBySlug(tx, from)
  if (tenant.status === 'deleting') throw conflict('conflict', `The workspace ${from} is being deleted.`)
  if (from === to) throw slugTaken(to)

  const renamed = await moveTenant(tx, tenant, to)
  // Looked up only now: whoever was just leaving the new slug has committed, or the move would still wait.
  assertNotBlocked(to, await findTombstone(tx, to), now, tenant.id)
  await deleteTombstone(tx, to)
  await insertTombstone(tx, releaseOf(tenant, now))
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  const sessionsEnded = await endAllSessions(inside, 'tenant_renamed', now)
  await record(inside, 'tenant.renamed', { id: tenant.id, label: to, before: tenant, after: renamed })
  await emit(inside, tenantRenamed, renamed, { from, to })
  return { tenant: renamed, sessionsEnded }
}

async function moveTenant(tx: SystemTx, { id }: TenantRow, to: string): Promise<TenantRow> {
  try {
    return await changeTenant(tx, id, { slug: to })
  } catch (error) {
    if (violatedConstraint(error) === 'tenants_slug_unique') throw slugTaken(to)
    throw error
  }
}

export const releaseOf = ({ id, slug }: TenantRow, now: Date) => ({
  slug,
  released_tenant: id,
  released_at: now,
  blocked_until: daysLater(now, blockedDays),
})

type Deletion = { confirm: string | undefined; graceDays: number; now: Date }

/** Nobody gets in any more. Until the grace is over, all of it can be brought back. */
export async function deleteTenant(tx: SystemTx, slug: string, { confirm, graceDays, now }: Deletion) {
  const tenant = await lockTenantBySlug(tx, slug)
  assertTransition(tenant, 'deleting')
  assertConfirmed(slug, confirm)

  const deleting = await changeTenant(tx, tenant.id, {
    status: 'deleting',
    status_reason: null,
    delete_after: daysLater(now, graceDays),
  })
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  const sessionsEnded = await endAllSessions(inside, 'tenant_deleted', now)
  const keysRevoked = await revokeAllKeys(inside, 'tenant_deleted', now)
  await record(inside, 'tenant.deleted', { id: tenant.id, label: slug, before: tenant, after: deleting })
  return { tenant: deleting, sessionsEnded, keysRevoked }
}

/** Back from deletion, but still closed: resuming is a decision of its own. */
export async function restoreTenant(tx: SystemTx, slug: string, now: Date): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  assertRestorable(tenant, now)

  const restored = await changeTenant(tx, tenant.id, {
    status: 'suspended',
    status_reason: 'restored from deletion',
    delete_after: null,
  })
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  await record(inside, 'tenant.restored', { id: tenant.id, label: slug, before: tenant, after: restored })
  return restored
}

/** What only the operator may set. */
export async function setTenantLimits(tx: SystemTx, slug: string, assignments: string[]): Promise<TenantRow> {
  const changes = readLimits(assignments)
  const tenant = await lockTenantBySlug(tx, slug)

  const limits = changedLimits(tenant.limits as TenantLimits, changes)
  const changed = await changeTenant(tx, tenant.id, { limits: JSON.stringify(limits) })
  const inside = await enterTenant(tx, operatorIn(tenant.id))
  await record(inside, 'tenant.limited', { id: tenant.id, label: slug, before: tenant, after: changed })
  return changed
}
