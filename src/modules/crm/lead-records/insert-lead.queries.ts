import type { Insertable } from 'kysely'
import { compileOnce, type Database, type TenantTx } from '#platform/db'
import { type LeadRow, leadRowColumns } from './leads.queries.ts'

const columns = [
  'id',
  'first_name',
  'last_name',
  'name_key',
  'company_key',
  'email',
  'email_kind',
  'phone',
  'phone_e164',
  'title',
  'company',
  'company_domain',
  'website',
  'linkedin_url',
  'industry',
  'employee_count',
  'annual_revenue_minor',
  'annual_revenue_currency',
  'annual_revenue_base_minor',
  'country',
  'region',
  'city',
  'timezone',
  'source',
  'source_detail',
  'utm',
  'status',
  'lifecycle_stage',
  'disqualify_reason',
  'owner_id',
  'assigned_at',
  'fit_score',
  'engagement_score',
  'score',
  'grade',
  'score_reasons',
  'score_version',
  'scored_at',
  'email_status',
  'call_status',
  'sla_due_at',
  'mql_at',
  'sql_at',
  'tags',
  'notes',
  'custom',
  'search_text',
  'created_by',
  'created_at',
  'created_on',
  'updated_at',
] as const

type NewLeadRow = Pick<Insertable<Database['crm.leads']>, (typeof columns)[number]>

const insertRow = compileOnce((tx: TenantTx, lead: NewLeadRow) => {
  const values = Object.fromEntries(columns.map((column) => [column, lead[column]])) as NewLeadRow
  return tx.insertInto('crm.leads').values(values).returning(leadRowColumns)
})

export async function insertLead(tx: TenantTx, lead: NewLeadRow): Promise<LeadRow> {
  const [inserted] = await insertRow(tx, lead)
  return inserted!
}
