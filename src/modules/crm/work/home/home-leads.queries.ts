import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type LeadSummaryRow, leadSummaryColumns } from '../../people/lead-records/leads.queries.ts'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'

const plainColumns = leadSummaryColumns.filter((column) => column !== 'custom')

/** New leads of the owner without a first response, the earliest deadline first. */
export async function listAwaitingLeadRows(tx: TenantTx, ownerId: string, limit: number): Promise<LeadSummaryRow[]> {
  const rows = await tx
    .selectFrom('crm.leads')
    .select(plainColumns)
    .select(visibleCustom('crm.leads').as('custom'))
    .where('owner_id', '=', ownerId)
    .where('status', '=', sql.lit('new'))
    .where('first_responded_at', 'is', null)
    .where('deleted_at', 'is', null)
    .orderBy('sla_due_at')
    .orderBy('id')
    .limit(sql.lit(limit))
    .execute()
  return rows as LeadSummaryRow[]
}
