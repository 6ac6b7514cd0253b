import { sql } from 'kysely'
import { compileOnce, type TenantTx } from '#platform/db'
import { duplicateCountOf } from '../duplicates/duplicates.queries.ts'
import { type LeadRow, leadRowColumns, requireNotDeleted } from '../lead-records/leads.queries.ts'

export type LeadWithDuplicateCount = LeadRow & { duplicate_count: number }

export async function getLeadWithDuplicateCount(tx: TenantTx, id: string): Promise<LeadWithDuplicateCount> {
  return requireNotDeleted((await selectLead(tx, { id }))[0])
}

const keysOfLead = {
  id: sql.ref('lead.id'),
  email_key: sql.ref('lead.email_key'),
  name_key: sql.ref('lead.name_key'),
  company_key: sql.ref('lead.company_key'),
}

const selectLead = compileOnce((tx: TenantTx, { id }: { id: string }) =>
  tx
    .selectFrom('crm.leads as lead')
    .select(leadRowColumns)
    .select(duplicateCountOf(keysOfLead).as('duplicate_count'))
    .where('lead.id', '=', id),
)
