import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/**
 * Every column that names a lead, and whether what it stands in follows the lead when it is merged. What a lead went through by
 * itself stays with it, so that it is whole again when the merge is undone. A test finds columns that are missing here; modules
 * above this one follow lead.merged and lead.merge_undone in their transactions.
 */
export const leadReferences: Record<string, { moves: boolean; key?: string }> = {
  'crm.activities.lead_id': { moves: true },
  'crm.contacts.lead_id': { moves: true },
  'crm.lead_ai_results.lead_id': { moves: true },
  'crm.lead_assignments.lead_id': { moves: false },
  'crm.lead_merges.primary_id': { moves: false },
  'crm.lead_score_components.lead_id': { moves: true, key: 'key' },
  'crm.lead_score_history.lead_id': { moves: false },
  'crm.leads.merged_into_id': { moves: true },
  'crm.lifecycle_events.lead_id': { moves: false },
  'crm.opportunities.lead_id': { moves: true },
}

/** By column, by lead: the keys of the rows that were moved from it. */
export type Moved = Record<string, Record<string, string[]>>

const partsOf = (reference: string, key = 'id') => {
  const [schema, table, column] = reference.split('.')
  return { table: sql.table(`${schema}.${table}`), column: sql.ref(column!), key: sql.ref(key) }
}

/** Hangs what hung on these leads on another one. Where it has its own under the same name, its own stays and theirs with them. */
export async function moveChildren(tx: TenantTx, fromIds: readonly string[], toId: string): Promise<Moved> {
  const moved: Moved = {}
  for (const [reference, { moves, key: named }] of Object.entries(leadReferences)) {
    if (!moves) continue
    const { table, column, key } = partsOf(reference, named)
    for (const fromId of fromIds) {
      const isOwn = named
        ? sql`and not exists (select from ${table} own where own.${column} = ${toId} and own.${key} = child.${key})`
        : sql``
      const { rows } = await sql<{ key: string }>`
        update ${table} child set ${column} = ${toId}::uuid where child.${column} = ${fromId} ${isOwn}
        returning child.${key}::text as key`.execute(tx)
      if (rows.length) moved[reference] = { ...moved[reference], [fromId]: rows.map((row) => row.key) }
    }
  }
  return moved
}

/** Gives back what still hangs where it was moved to, to those who are back. */
export async function giveChildrenBack(
  tx: TenantTx,
  moved: Moved,
  { from, to }: { from: string; to: readonly string[] },
): Promise<void> {
  for (const [reference, byLead] of Object.entries(moved)) {
    const known = leadReferences[reference]
    if (!known) continue
    const { table, column, key } = partsOf(reference, known.key)
    for (const [leadId, keys] of Object.entries(byLead))
      if (to.includes(leadId))
        await sql`
          update ${table} set ${column} = ${leadId}::uuid where ${column} = ${from} and ${key}::text = any (${keys}::text[])
        `.execute(tx)
  }
}

type NewMerge = { id: string; primary_id: string; snapshot: object; moved: Moved; merged_by: string; created_at: Date }

export async function insertMerge(tx: TenantTx, { snapshot, moved, ...merge }: NewMerge): Promise<void> {
  const written = { snapshot: JSON.stringify(snapshot), moved: JSON.stringify(moved) }
  await tx
    .insertInto('crm.lead_merges')
    .values({ ...merge, ...written })
    .execute()
}

const merge = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('crm.lead_merges')
    .select(['id', 'primary_id', 'snapshot', 'moved', 'created_at', 'undone_at'])
    .where('id', '=', id)

export const findMerge = (tx: TenantTx, id: string) => merge(tx, id).executeTakeFirst()
export const lockMerge = (tx: TenantTx, id: string) => merge(tx, id).forUpdate().executeTakeFirst()

export async function markUndone(tx: TenantTx, id: string, at: Date): Promise<void> {
  await tx.updateTable('crm.lead_merges').set({ undone_at: at }).where('id', '=', id).execute()
}

/** The addresses of those that were merged into a lead. */
export function addressesOf(tx: TenantTx, ids: readonly string[], primaryId: string) {
  return tx
    .selectFrom('crm.leads')
    .select(['id', 'email_key'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('merged_into_id', '=', primaryId)
    .orderBy('id')
    .execute()
}

/** Those that were merged into a lead and are still there, locked in the order of their ids. */
export async function lockMergedInto(tx: TenantTx, ids: readonly string[], primaryId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('crm.leads')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('merged_into_id', '=', primaryId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}
