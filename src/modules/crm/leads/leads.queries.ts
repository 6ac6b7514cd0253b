import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { type Database, holdTurn, type TenantTx } from '#platform/db'
import { AppError, notFound } from '#platform/errors'

type Leads = Database['crm.leads']

/** What the table says of a lead, but for what only lists and searches need. */
export const leadColumns = [
  ...([
    'id',
    'first_name',
    'last_name',
    'name',
    'name_key',
    'company_key',
    'email',
    'email_key',
    'email_kind',
  ] as const),
  ...(['phone', 'phone_e164', 'title', 'company', 'company_domain', 'website', 'linkedin_url', 'industry'] as const),
  ...(['employee_count', 'annual_revenue_minor', 'annual_revenue_currency', 'annual_revenue_base_minor'] as const),
  ...(['country', 'region', 'city', 'timezone', 'source', 'source_detail', 'utm'] as const),
  ...(['status', 'lifecycle_stage', 'disqualify_reason', 'owner_id', 'assigned_at'] as const),
  ...(['fit_score', 'engagement_score', 'score', 'grade', 'score_version', 'scored_at'] as const),
  ...(['email_status', 'call_status', 'processing_restricted'] as const),
  ...(['first_responded_at', 'first_responder_id', 'sla_due_at', 'sla_breached_at'] as const),
  ...(['last_activity_at', 'last_engaged_at', 'mql_at', 'sql_at', 'opportunity_at', 'customer_at'] as const),
  ...(['converted_at', 'converted_by', 'converted_account_id', 'converted_contact_id'] as const),
  ...(['converted_opportunity_id', 'merged_into_id', 'import_id', 'tags', 'notes', 'custom'] as const),
  ...(['created_by', 'created_at', 'created_on', 'updated_at', 'deleted_at', 'deleted_by', 'version'] as const),
] as const
const ownColumns = [...leadColumns, 'score_reasons'] as const

/** A lead as lists read it, and one by itself, which also knows why it scored as it did. */
export type ListedLead = Pick<Selectable<Leads>, (typeof leadColumns)[number]>
export type LeadRow = Pick<Selectable<Leads>, (typeof ownColumns)[number]>

/** A lead that was merged says where it went. */
export async function getLead(tx: TenantTx, id: string): Promise<LeadRow> {
  return living(await findAnyLead(tx, id))
}

/** Also one that was deleted. */
export function findAnyLead(tx: TenantTx, id: string): Promise<LeadRow | undefined> {
  return tx.selectFrom('crm.leads').select(ownColumns).where('id', '=', id).executeTakeFirst()
}

/** Nobody else changes the lead until the transaction ends. */
export async function lockLead(tx: TenantTx, id: string): Promise<LeadRow> {
  return living(await lockAnyLead(tx, id))
}

/** Also one that was deleted. */
export function lockAnyLead(tx: TenantTx, id: string): Promise<LeadRow | undefined> {
  return tx.selectFrom('crm.leads').select(ownColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Those of them that there are, locked in the order of their ids, so that two who lock several never wait for each other. */
export function lockLeads(tx: TenantTx, ids: readonly string[]): Promise<LeadRow[]> {
  return tx
    .selectFrom('crm.leads')
    .select(ownColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

function living(lead: LeadRow | undefined): LeadRow {
  if (lead && lead.deleted_at === null) return lead
  if (lead?.merged_into_id)
    throw new AppError(404, 'not_found', 'This lead was merged into another one.', {
      extra: { merged_into_id: lead.merged_into_id },
    })
  throw notFound('lead')
}

export function insertLead(tx: TenantTx, lead: Insertable<Leads>): Promise<LeadRow> {
  return tx.insertInto('crm.leads').values(lead).returning(ownColumns).executeTakeFirstOrThrow()
}

type Counting = {
  /** Whether it counts as a change people made. The database knows it of most fields; a stage moves by itself too. */
  counts?: boolean
}

/** The only way a lead changes. */
export function changeLeadFields(
  tx: TenantTx,
  id: string,
  fields: Updateable<Leads>,
  { counts = fields.lifecycle_stage !== undefined }: Counting = {},
): Promise<LeadRow> {
  const counted = counts ? { version: sql<number>`version + 1`, updated_at: sql<Date>`now()` } : {}
  return tx
    .updateTable('crm.leads')
    .set({ ...fields, ...counted })
    .where('id', '=', id)
    .returning(ownColumns)
    .executeTakeFirstOrThrow()
}

/** One at a time for the same address, so that of two captures at once the second sees the first. Ahead of any lead. */
export async function holdAddress(tx: TenantTx, emailKey: string): Promise<void> {
  await holdTurn(tx, `lead_address:${emailKey}`)
}

/** The longest known live lead with an address, but for some. */
export async function findLeadIdByEmail(
  tx: TenantTx,
  emailKey: string,
  except: readonly string[] = [],
): Promise<string | undefined> {
  const found = await tx
    .selectFrom('crm.leads')
    .select('id')
    .where('email_key', '=', emailKey)
    .where('id', '<>', sql<string>`all(${except}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return found?.id
}
