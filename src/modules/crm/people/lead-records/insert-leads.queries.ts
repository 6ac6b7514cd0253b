import type { Insertable } from 'kysely'
import { type Database, selectRows, type TenantTx } from '#platform/db'
import { type LeadRow, leadRowColumns } from './leads.queries.ts'

const columnTypes = {
  id: 'uuid',
  first_name: 'text',
  last_name: 'text',
  name_key: 'text',
  company_key: 'text',
  email: 'text',
  email_kind: 'text',
  phone: 'text',
  phone_e164: 'text',
  title: 'text',
  company: 'text',
  company_domain: 'text',
  website: 'text',
  linkedin_url: 'text',
  industry: 'text',
  employee_count: 'integer',
  annual_revenue_minor: 'bigint',
  annual_revenue_currency: 'text',
  annual_revenue_base_minor: 'bigint',
  country: 'text',
  region: 'text',
  city: 'text',
  timezone: 'text',
  source: 'text',
  source_detail: 'text',
  utm: 'jsonb',
  status: 'text',
  lifecycle_stage: 'text',
  disqualify_reason: 'text',
  owner_id: 'uuid',
  assigned_at: 'timestamptz',
  fit_score: 'integer',
  engagement_score: 'integer',
  score: 'integer',
  grade: 'text',
  score_reasons: 'jsonb',
  score_version: 'integer',
  scored_at: 'timestamptz',
  email_status: 'text',
  call_status: 'text',
  processing_restricted: 'boolean',
  sla_due_at: 'timestamptz',
  mql_at: 'timestamptz',
  sql_at: 'timestamptz',
  tags: 'text[]',
  notes: 'text',
  custom: 'jsonb',
  search_text: 'text',
  import_id: 'uuid',
  created_by: 'uuid',
  created_at: 'timestamptz',
  created_on: 'date',
  updated_at: 'timestamptz',
} as const

type Column = keyof typeof columnTypes
export type NewLeadRow = Pick<Insertable<Database['crm.leads']>, Column> & { id: string }

export async function insertLeads(tx: TenantTx, leads: readonly NewLeadRow[]): Promise<LeadRow[]> {
  if (!leads.length) return []
  const { columns, rows } = selectRows<{ [C in Column]?: unknown }>(leads, columnTypes)
  const inserted = await tx
    .insertInto('crm.leads')
    .columns(columns)
    .expression(rows as never)
    .returning(leadRowColumns)
    .execute()
  const byId = new Map(inserted.map((lead) => [lead.id, lead]))
  return leads.map(({ id }) => byId.get(id)!)
}
