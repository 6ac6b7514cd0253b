import { sql } from 'kysely'
import { compileOnce, type TenantTx } from '#platform/db'
import { duplicateCountOf } from '../duplicates/duplicates.queries.ts'
import { type LeadRow, leadRowColumns, requireNotDeleted } from '../lead-records/leads.queries.ts'

export type LeadWithDuplicateCount = LeadRow & { duplicate_count: number }

export async function getLeadWithDuplicateCount(tx: TenantTx, id: string): Promise<LeadWithDuplicateCount> {
  return requireNotDeleted((await selectLeads(tx, { ids: [id] }))[0])
}

export async function listLeadsWithDuplicateCount(
  tx: TenantTx,
  ids: readonly string[],
): Promise<LeadWithDuplicateCount[]> {
  return (await selectLeads(tx, { ids })).filter(({ deleted_at }) => deleted_at === null)
}

const keysOfLead = {
  id: sql.ref('lead.id'),
  email_key: sql.ref('lead.email_key'),
  name_key: sql.ref('lead.name_key'),
  company_key: sql.ref('lead.company_key'),
}

const selectLeads = compileOnce((tx: TenantTx, { ids }: { ids: readonly string[] }) =>
  tx
    .selectFrom('crm.leads as lead')
    .select(leadRowColumns)
    .select(duplicateCountOf(keysOfLead).as('duplicate_count'))
    .where('lead.id', '=', sql<string>`any(${ids}::uuid[])`),
)
