import { sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { type LeadRow, leadSummaryColumns } from '../lead-records/leads.queries.ts'

/** Sets the same columns of all these leads; a stage change increments the version, as in `updateLeadRow`. */
export function updateLeadRows(
  tx: TenantTx,
  ids: readonly string[],
  fields: Updateable<Database['crm.leads']>,
): Promise<LeadRow[]> {
  const incrementVersion = fields.lifecycle_stage !== undefined
  const versionColumns = incrementVersion ? { version: sql<number>`version + 1`, updated_at: sql<Date>`now()` } : {}
  return tx
    .updateTable('crm.leads')
    .set({ ...fields, ...versionColumns })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning([...leadSummaryColumns, 'score_reasons'])
    .execute()
}
