import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type OpportunityRow, opportunityColumns } from '../../deals/opportunities/opportunities.queries.ts'

export async function hasOtherContacts(tx: TenantTx, accountId: string, contactIds: readonly string[]) {
  const other = await tx
    .selectFrom('crm.contacts')
    .select('id')
    .where('account_id', '=', accountId)
    .where('id', '<>', sql<string>`all(${contactIds}::uuid[])`)
    .limit(1)
    .executeTakeFirst()
  return other !== undefined
}

export const lockDealsIncludingDeleted = (tx: TenantTx, ids: readonly string[]): Promise<OpportunityRow[]> =>
  tx
    .selectFrom('crm.opportunities')
    .select(opportunityColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()

export async function updateRecordTags(
  tx: TenantTx,
  kind: 'lead' | 'contact',
  id: string,
  tags: readonly string[],
): Promise<void> {
  const table = kind === 'lead' ? 'crm.leads' : 'crm.contacts'
  await tx
    .updateTable(table)
    .set({ tags: [...tags] })
    .where('id', '=', id)
    .execute()
}

export type ErasedValue = { field_id: string; record_id: string }

export async function deleteErasedValues(
  tx: TenantTx,
  values: readonly ErasedValue[],
): Promise<Record<string, number>> {
  if (!values.length) return {}
  const erased = sql`json_to_recordset(${JSON.stringify(values)}::json) as erased (field_id uuid, record_id uuid)`
  const [index, unique] = await Promise.all([
    sql`delete from crm.custom_field_index stored using ${erased}
      where stored.field_id = erased.field_id and stored.record_id = erased.record_id`.execute(tx),
    sql`delete from crm.custom_field_unique stored using ${erased}
      where stored.field_id = erased.field_id and stored.record_id = erased.record_id`.execute(tx),
  ])
  return {
    'crm.custom_field_index': Number(index.numAffectedRows ?? 0),
    'crm.custom_field_unique': Number(unique.numAffectedRows ?? 0),
  }
}
