import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/**
 * Every column that references a lead, and whether a merge repoints it. History of the merged lead stays, so that the merge can be
 * undone. A test finds missing columns; other modules subscribe to lead.merged and lead.merge_undone.
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
    for (const fromId of fromIds) {
      const isNotTaken = uniqueKey
        ? sql`and not exists (select from ${table} existing where existing.${column} = ${toId} and existing.${key} = child.${key})`
        : sql``
      const { rows } = await sql<{ key: string }>`
        update ${table} child set ${column} = ${toId}::uuid where child.${column} = ${fromId} ${isNotTaken}
        returning child.${key}::text as key`.execute(tx)
      if (rows.length) repointed[reference] = { ...repointed[reference], [fromId]: rows.map((row) => row.key) }
    }
  }
  return repointed
}

export async function restoreLeadReferences(
  tx: TenantTx,
  repointed: RepointedRows,
  { from, to }: { from: string; to: readonly string[] },
): Promise<void> {
  for (const [reference, byLead] of Object.entries(repointed)) {
    const definition = leadReferences[reference]
    if (!definition) continue
    const { table, column, key } = parseReference(reference, definition.key)
    for (const [leadId, keys] of Object.entries(byLead))
      if (to.includes(leadId))
        await sql`
          update ${table} set ${column} = ${leadId}::uuid where ${column} = ${from} and ${key}::text = any (${keys}::text[])
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

/** Locks the leads that are still merged into this lead, ordered by id to avoid deadlocks. */
export async function lockMergedLeads(tx: TenantTx, ids: readonly string[], primaryId: string): Promise<string[]> {
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
