import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/**
 * Columns that reference a lead, in the global lock order, and whether a merge repoints them. History of the merged lead stays, so
 * that the merge can be undone. A test finds missing columns; other modules subscribe to lead.merged and lead.merge_undone.
 */
export const leadReferences: Record<string, { moves: boolean; key?: string }> = {
  'crm.leads.merged_into_id': { moves: true },
  'crm.opportunities.lead_id': { moves: true },
  'crm.contacts.lead_id': { moves: true },
  'crm.activities.lead_id': { moves: true },
  'crm.lead_ai_results.lead_id': { moves: true },
  'crm.lead_assignments.lead_id': { moves: false },
  'crm.lead_durations.lead_id': { moves: false },
  'crm.lead_merges.primary_id': { moves: false },
  'crm.lead_score_components.lead_id': { moves: true, key: 'key' },
  'crm.lead_score_history.lead_id': { moves: false },
  'crm.lifecycle_events.lead_id': { moves: false },
}

export type RepointedRows = Record<string, Record<string, string[]>>

const parseReference = (reference: string, key = 'id') => {
  const [schema, table, column] = reference.split('.')
  return { table: sql.table(`${schema}.${table}`), column: sql.ref(column!), key: sql.ref(key) }
}

/** Repoints references to another lead. Rows whose key already exists there are not moved. */
export async function repointLeadReferences(
  tx: TenantTx,
  fromIds: readonly string[],
  toId: string,
): Promise<RepointedRows> {
  const repointed: RepointedRows = {}
  for (const [reference, { moves, key: uniqueKey }] of Object.entries(leadReferences)) {
    if (!moves) continue
    const { table, column, key } = parseReference(reference, uniqueKey)
    const isLocked = isLockedInOrder(reference, fromIds)
    for (const fromId of fromIds) {
      const isNotTaken = uniqueKey
        ? sql`and not exists (select from ${table} existing where existing.${column} = ${toId} and existing.${key} = child.${key})`
        : sql``
      const { rows } = await sql<{ key: string }>`
        update ${table} child set ${column} = ${toId}::uuid where child.${column} = ${fromId} and ${isLocked} ${isNotTaken}
        returning child.${key}::text as key`.execute(tx)
      if (rows.length) repointed[reference] = { ...repointed[reference], [fromId]: rows.map((row) => row.key) }
    }
  }
  return repointed
}

/** Locks the references to all these leads in id order, because an update of many rows locks them in any order. */
function isLockedInOrder(reference: string, leadIds: readonly string[]) {
  const { table, column, key } = parseReference(reference, leadReferences[reference]?.key)
  return sql`${key} = any (array(
    select ${key} from ${table} where ${column} = any (${leadIds}::uuid[]) order by ${key} for no key update))`
}

export async function restoreLeadReferences(
  tx: TenantTx,
  repointed: RepointedRows,
  { from, to }: { from: string; to: readonly string[] },
): Promise<void> {
  for (const [reference, definition] of Object.entries(leadReferences)) {
    const { table, column, key } = parseReference(reference, definition.key)
    const isLocked = isLockedInOrder(reference, [from])
    for (const [leadId, keys] of Object.entries(repointed[reference] ?? {}))
      if (to.includes(leadId))
        await sql`
          update ${table} set ${column} = ${leadId}::uuid
          where ${column} = ${from} and ${key}::text = any (${keys}::text[]) and ${isLocked}
        `.execute(tx)
  }
}

type NewLeadMerge = {
  id: string
  primary_id: string
  snapshot: object
  moved: RepointedRows
  merged_by: string
  created_at: Date
}

export async function insertLeadMerge(tx: TenantTx, { snapshot, moved, ...merge }: NewLeadMerge): Promise<void> {
  const json = { snapshot: JSON.stringify(snapshot), moved: JSON.stringify(moved) }
  await tx
    .insertInto('crm.lead_merges')
    .values({ ...merge, ...json })
    .execute()
}

const selectMerge = (tx: TenantTx, id: string) =>
  tx
    .selectFrom('crm.lead_merges')
    .select(['id', 'primary_id', 'snapshot', 'moved', 'created_at', 'undone_at'])
    .where('id', '=', id)

export const findLeadMerge = (tx: TenantTx, id: string) => selectMerge(tx, id).executeTakeFirst()
export const lockLeadMerge = (tx: TenantTx, id: string) => selectMerge(tx, id).forUpdate().executeTakeFirst()

export async function markMergeUndone(tx: TenantTx, id: string, at: Date): Promise<void> {
  await tx.updateTable('crm.lead_merges').set({ undone_at: at }).where('id', '=', id).execute()
}

export function listMergedLeadEmails(tx: TenantTx, ids: readonly string[], primaryId: string) {
  return tx
    .selectFrom('crm.leads')
    .select(['id', 'email_key'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('merged_into_id', '=', primaryId)
    .orderBy('id')
    .execute()
}
