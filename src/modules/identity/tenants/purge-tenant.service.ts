import { operatorIn } from '#platform/access'
import { actAsRetention, enterTenant, type SystemTx, type TenantTx } from '#platform/db'
import { conflict } from '#platform/errors'
import { insertOperatorAct } from './operator-audit.queries.ts'
import {
  clearSomeReferences,
  deleteJobs,
  deleteSomeRows,
  hasRows,
  listReferences,
  listTenantTables,
  type TenantTable,
} from './tenant-rows.queries.ts'
import { planDeletion, type Reference } from './tenant-rows.rules.ts'
import {
  changeTenant,
  deleteTenantRow,
  insertTombstone,
  lockTenantBySlug,
  type TenantRow,
  tryLockTenant,
} from './tenants.queries.ts'
import { assertConfirmed, assertPurgeable, purging } from './tenants.rules.ts'
import { releaseOf } from './tenants.service.ts'

const rowsPerTransaction = 5_000

export type PurgeOrder = {
  /** Without waiting for the end of the grace; `confirm` then repeats the slug. */
  isNow?: boolean
  confirm?: string
  operator: string
}

/** What is to be emptied, in this order, after the references in circles are cleared. */
export type PurgePlan = { tables: TenantTable[]; clear: Reference[] }

/** From here on there is no way back, also should the process end now. */
export async function beginPurge(tx: SystemTx, slug: string, order: PurgeOrder, now: Date): Promise<TenantRow> {
  const tenant = await lockTenantBySlug(tx, slug)
  const isHurried = order.isNow === true && tenant.status === 'deleting'
  const due = isHurried ? { ...tenant, delete_after: now } : tenant
  assertPurgeable(due, now)
  if (order.isNow) assertConfirmed(slug, order.confirm)

  return await changeTenant(tx, tenant.id, { maintenance: purging, delete_after: due.delete_after })
}

export async function planPurge(tx: SystemTx): Promise<PurgePlan> {
  const tables = await listTenantTables(tx)
  const names = tables.map(({ name }) => name)
  const { order, clear } = planDeletion(names, await listReferences(tx))
  const byName = new Map(tables.map((table) => [table.name, table]))
  return { tables: order.map((name) => byName.get(name)!), clear }
}

export async function emptyTableFurther(tx: SystemTx, tenantId: string, table: TenantTable): Promise<number> {
  const inside = await continuePurge(tx, tenantId)
  if (table.is_kept_as_written) await actAsRetention(inside)
  return await deleteSomeRows(inside, table.name, rowsPerTransaction)
}

export async function clearReferencesFurther(tx: SystemTx, tenantId: string, reference: Reference): Promise<number> {
  return await clearSomeReferences(await continuePurge(tx, tenantId), reference, rowsPerTransaction)
}

type Ending = { tables: TenantTable[]; rows: number; order: PurgeOrder; now: Date }

/** The last step. It is refused, by answering false, while a row is left that a late request may have added. */
export async function finishPurge(tx: SystemTx, tenant: TenantRow, ending: Ending): Promise<boolean> {
  const inside = await continuePurge(tx, tenant.id)
  for (const { name } of ending.tables) if (await hasRows(inside, name)) return false

  const jobs = await deleteJobs(inside)
  await insertTombstone(tx, releaseOf(tenant, ending.now))
  await deleteTenantRow(tx, tenant.id)
  await insertOperatorAct(tx, {
    operator: ending.order.operator,
    command: 'tenant purge',
    args: { slug: tenant.slug, rows: ending.rows, jobs, ...(ending.order.isNow && { now: true }) },
    tenantId: tenant.id,
    outcome: 'ok',
  })
  return true
}

/** One at a time: whoever purges holds the workspace while deleting some of its rows. */
async function continuePurge(tx: SystemTx, tenantId: string): Promise<TenantTx> {
  const tenant = await tryLockTenant(tx, tenantId)
  if (tenant?.maintenance !== purging)
    throw conflict('conflict', 'Somebody else is purging this workspace at the moment, or has just done so.')
  return await enterTenant(tx, operatorIn(tenantId))
}
