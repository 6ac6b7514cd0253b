import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { RepointedRows } from '../../records/references/merge-references.queries.ts'

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

export function listOtherMergedLeads(tx: TenantTx, primaryId: string, exceptIds: readonly string[]) {
  return tx
    .selectFrom('crm.leads')
    .select(['email', 'email_key', 'phone_e164', 'email_status', 'call_status', 'processing_restricted', 'deleted_at'])
    .where('merged_into_id', '=', primaryId)
    .where('id', '<>', sql<string>`all(${exceptIds}::uuid[])`)
    .execute()
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
