import { operatorActor } from '#platform/access'
import { assumeRetentionRole, enterTenant, type SystemTx, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { deleteTenantJobs } from '#platform/jobs'
import { insertOperatorAuditEntry } from './operator-audit.queries.ts'
import {
  clearForeignKey,
  deleteTenantRows,
  hasTenantRows,
  listForeignKeys,
  listTenantTables,
  type TenantTable,
} from './tenant-rows.queries.ts'
import { type ForeignKey, planDeletion } from './tenant-rows.rules.ts'
import {
  deleteTenantRow,
  insertTombstone,
  lockTenantBySlug,
  type TenantRow,
  tryLockTenant,
  updateTenantRow,
} from './tenants.queries.ts'
import { assertPurgeable, assertSlugConfirmed, purging } from './tenants.rules.ts'
import { toTombstone } from './tenants.service.ts'

const rowsPerTransaction = 1_000

export type PurgeOptions = {
  /** Skips the rest of the grace period; `confirm` must repeat the slug. */
  isNow?: boolean
  confirm?: string
  operator: string
}

/** Tables in deletion order, and foreign keys to clear first because they form cycles. */
export type PurgePlan = { tables: TenantTable[]; clear: ForeignKey[] }

/** Commits the start of the purge; from then on the workspace cannot be restored. */
export async function startPurge(tx: SystemTx, slug: string, options: PurgeOptions, now: Date): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  const skipsGrace = options.isNow === true && tenant.status === 'deleting'
  const due = skipsGrace ? { ...tenant, delete_after: now } : tenant
  assertPurgeable(due, now)
  if (options.isNow) assertSlugConfirmed(slug, options.confirm)

  return await updateTenantRow(tx, tenant.id, { maintenance: purging, delete_after: due.delete_after })
}

export async function planPurge(tx: SystemTx): Promise<PurgePlan> {
  const tables = await listTenantTables(tx)
  const names = tables.map(({ name }) => name)
  const { order, clear } = planDeletion(names, await listForeignKeys(tx))
  const byName = new Map(tables.map((table) => [table.name, table]))
  return { tables: order.map((name) => byName.get(name)!), clear }
}

export async function deleteTableBatch(tx: SystemTx, tenantId: string, table: TenantTable): Promise<number> {
  const tenantTx = await continuePurge(tx, tenantId)
  if (table.is_append_only) await assumeRetentionRole(tenantTx)
  return await deleteTenantRows(tenantTx, table.name, rowsPerTransaction)
}

export async function clearForeignKeyBatch(tx: SystemTx, tenantId: string, foreignKey: ForeignKey): Promise<number> {
  return await clearForeignKey(await continuePurge(tx, tenantId), foreignKey, rowsPerTransaction)
}

type PurgeSummary = { tables: TenantTable[]; rows: number; options: PurgeOptions; now: Date }

/** Deletes the tenant row. Returns false if a late request has added rows, which must be deleted first. */
export async function finishPurge(tx: SystemTx, tenant: TenantRow, summary: PurgeSummary): Promise<boolean> {
  const tenantTx = await continuePurge(tx, tenant.id)
  for (const { name } of summary.tables) if (await hasTenantRows(tenantTx, name)) return false

  const jobs = await deleteTenantJobs(tenantTx)
  await insertTombstone(tx, toTombstone(tenant, summary.now))
  await deleteTenantRow(tx, tenant.id)
  await insertOperatorAuditEntry(tx, {
    operator: summary.options.operator,
    command: 'tenant purge',
    args: { slug: tenant.slug, rows: summary.rows, jobs, ...(summary.options.isNow && { now: true }) },
    tenantId: tenant.id,
    outcome: 'ok',
  })
  return true
}

/** Locks the tenant row for one batch, so that only one purge runs at a time. */
async function continuePurge(tx: SystemTx, tenantId: string): Promise<TenantTx> {
  const tenant = await tryLockTenant(tx, tenantId)
  if (tenant?.maintenance !== purging)
    throw conflict('conflict', 'Another process is purging this workspace or has already finished.')
  return await enterTenant(tx, operatorActor(tenantId))
}
