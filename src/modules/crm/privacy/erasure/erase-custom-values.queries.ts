import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

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
