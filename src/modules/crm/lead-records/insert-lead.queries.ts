import type { CompiledQuery, Insertable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
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

function compileInsert(tx: TenantTx): CompiledQuery<LeadRow> {
  const blank = Object.fromEntries(columns.map((column) => [column, null])) as unknown as NewLeadRow
  return tx.insertInto('crm.leads').values(blank).returning(leadRowColumns).compile() as CompiledQuery<LeadRow>
}

let compiledInsert: CompiledQuery<LeadRow> | undefined

/** Compiles the statement once, because it has more than a hundred columns. */
export async function insertLead(tx: TenantTx, lead: NewLeadRow): Promise<LeadRow> {
  compiledInsert ??= compileInsert(tx)
  const parameters = columns.map((column) => lead[column] ?? null)
  const { rows } = await tx.executeQuery<LeadRow>({ ...compiledInsert, parameters })
  return rows[0]!
}
