import { type Selectable, sql, type Updateable } from 'kysely'
import type { Database, SystemTx, TenantTx } from '#platform/db'
import { AppError, notFound } from '#platform/errors'

const tenantColumns = [
  'id',
  'slug',
  'name',
  'status',
  'status_reason',
  'maintenance',
  'delete_after',
  'region',
  'limits',
  'created_at',
  'updated_at',
  'version',
] as const

export type TenantRow = Pick<Selectable<Database['identity.tenants']>, (typeof tenantColumns)[number]>

export function getTenant(tx: TenantTx): Promise<TenantRow> {
  return tx
    .selectFrom('identity.tenants')
    .select(tenantColumns)
    .where('id', '=', sql<string>`platform.current_tenant_id()`)
    .executeTakeFirstOrThrow(() => notFound('workspace'))
}

const noSuchWorkspace = (slug: string) => new AppError(404, 'not_found', `No workspace has the slug ${slug}.`)

export function getTenantBySlug(tx: SystemTx, slug: string): Promise<TenantRow> {
  return tx
    .selectFrom('identity.tenants')
    .select(tenantColumns)
    .where('slug', '=', slug)
    .executeTakeFirstOrThrow(() => noSuchWorkspace(slug))
}

export function lockTenantBySlug(tx: SystemTx, slug: string): Promise<TenantRow> {
  return tx
    .selectFrom('identity.tenants')
    .select(tenantColumns)
    .where('slug', '=', slug)
    .forUpdate()
    .executeTakeFirstOrThrow(() => noSuchWorkspace(slug))
}

export function lockOwnTenant(tx: TenantTx): Promise<TenantRow> {
  return tx
    .selectFrom('identity.tenants')
    .select(tenantColumns)
    .where('id', '=', sql<string>`platform.current_tenant_id()`)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('workspace'))
}

export async function listTenantsInMaintenance(tx: SystemTx, reason: string): Promise<string[]> {
  const tenants = await tx
    .selectFrom('identity.tenants')
    .select('id')
    .where('maintenance', '=', reason)
    .orderBy('id')
    .execute()
  return tenants.map(({ id }) => id)
}

export function updateOwnMaintenance(tx: TenantTx, maintenance: string | null): Promise<TenantRow> {
  return tx
    .updateTable('identity.tenants')
    .set({ maintenance })
    .where('id', '=', sql<string>`platform.current_tenant_id()`)
    .returning(tenantColumns)
    .executeTakeFirstOrThrow()
}

/** Returns undefined if the tenant does not exist or is locked by another transaction. */
export function tryLockTenant(tx: SystemTx, id: string): Promise<TenantRow | undefined> {
  return tx
    .selectFrom('identity.tenants')
    .select(tenantColumns)
    .where('id', '=', id)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

export function findTenantStatus(tx: SystemTx, id: string) {
  return tx.selectFrom('identity.tenants').select(['status', 'maintenance']).where('id', '=', id).executeTakeFirst()
}

type TenantFilter = { status?: string; after?: string; limit: number }

export function listTenants(tx: SystemTx, { status, after, limit }: TenantFilter): Promise<TenantRow[]> {
  let tenants = tx.selectFrom('identity.tenants').select(tenantColumns).orderBy('slug').limit(limit)
  if (status) tenants = tenants.where('status', '=', status)
  if (after) tenants = tenants.where('slug', '>', after)
  return tenants.execute()
}

/** Lists the ids of all tenants, also of those that are being deleted. */
export async function listTenantIdsAfter(tx: SystemTx, after: string | undefined, limit: number): Promise<string[]> {
  let tenants = tx.selectFrom('identity.tenants').select('id').orderBy('id').limit(limit)
  if (after) tenants = tenants.where('id', '>', after)
  return (await tenants.execute()).map(({ id }) => id)
}

export async function listTenantIds(tx: SystemTx): Promise<string[]> {
  const tenants = await tx
    .selectFrom('identity.tenants')
    .select('id')
    .where('status', '<>', 'deleting')
    .orderBy('id')
    .execute()
  return tenants.map(({ id }) => id)
}

export async function listTenantsDueForPurge(tx: SystemTx, now: Date): Promise<string[]> {
  const due = await tx
    .selectFrom('identity.tenants')
    .select('slug')
    .where('status', '=', 'deleting')
    .where('delete_after', '<=', now)
    .orderBy('delete_after')
    .execute()
  return due.map(({ slug }) => slug)
}

type NewTenant = { id: string; slug: string; name: string; region?: string | null }

export function insertTenant(tx: SystemTx, tenant: NewTenant): Promise<TenantRow | undefined> {
  return tx
    .insertInto('identity.tenants')
    .values(tenant)
    .onConflict((existing) => existing.constraint('tenants_slug_unique').doNothing())
    .returning(tenantColumns)
    .executeTakeFirst()
}

type TenantChanges = Updateable<Database['identity.tenants']>

export function updateTenantRow(tx: SystemTx, id: string, changes: TenantChanges): Promise<TenantRow> {
  return tx
    .updateTable('identity.tenants')
    .set(changes)
    .where('id', '=', id)
    .returning(tenantColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteTenantRow(tx: SystemTx, id: string): Promise<void> {
  await tx.deleteFrom('identity.tenants').where('id', '=', id).execute()
}

export function findTombstone(tx: SystemTx, slug: string) {
  return tx
    .selectFrom('identity.tenant_slug_tombstones')
    .select(['released_tenant', 'blocked_until'])
    .where('slug', '=', slug)
    .executeTakeFirst()
}

type Tombstone = { slug: string; released_tenant: string; released_at: Date; blocked_until: Date }

export async function insertTombstone(tx: SystemTx, tombstone: Tombstone): Promise<void> {
  const { slug: _, ...latest } = tombstone
  await tx
    .insertInto('identity.tenant_slug_tombstones')
    .values(tombstone)
    .onConflict((existing) => existing.column('slug').doUpdateSet(latest))
    .execute()
}

export async function deleteTombstone(tx: SystemTx, slug: string): Promise<void> {
  await tx.deleteFrom('identity.tenant_slug_tombstones').where('slug', '=', slug).execute()
}

export async function revokeAllSessions(tx: TenantTx, reason: string, at: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('identity.sessions')
    .set({ revoked_at: at, revoke_reason: reason })
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export async function revokeAllApiKeys(tx: TenantTx, reason: string, at: Date): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('identity.api_keys')
    .set({ revoked_at: at, revoke_reason: reason })
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

export function countUsersByStatus(tx: TenantTx) {
  return tx
    .selectFrom('identity.users')
    .select(({ fn }) => ['status', fn.countAll<number>().as('count')])
    .groupBy('status')
    .orderBy('status')
    .execute()
}
