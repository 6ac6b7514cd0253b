import { type Selectable, sql, type Updateable } from 'kysely'
import { acquireAdvisoryLock, acquireAdvisoryLocks, compileOnce, type Database, type TenantTx } from '#platform/db'
import { AppError, notFound } from '#platform/errors'

type Leads = Database['crm.leads']

export const leadSummaryColumns = [
  'id',
  'name',
  'email',
  'phone',
  'title',
  'company',
  'status',
  'lifecycle_stage',
  'source',
  'owner_id',
  'score',
  'grade',
  'sla_due_at',
  'sla_breached_at',
  'first_responded_at',
  'last_activity_at',
  'tags',
  'custom',
  'created_at',
  'version',
] as const

export const listedLeadColumns = [
  'id',
  'first_name',
  'last_name',
  'name',
  'name_key',
  'company_key',
  'email',
  'email_key',
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
  'score_version',
  'scored_at',
  'email_status',
  'call_status',
  'processing_restricted',
  'first_responded_at',
  'first_responder_id',
  'sla_due_at',
  'sla_breached_at',
  'last_activity_at',
  'last_engaged_at',
  'mql_at',
  'sql_at',
  'opportunity_at',
  'customer_at',
  'converted_at',
  'converted_by',
  'converted_account_id',
  'converted_contact_id',
  'converted_opportunity_id',
  'merged_into_id',
  'import_id',
  'tags',
  'notes',
  'custom',
  'created_by',
  'created_at',
  'created_on',
  'updated_at',
  'deleted_at',
  'deleted_by',
  'version',
] as const
export const leadRowColumns = [...listedLeadColumns, 'score_reasons'] as const

export type LeadSummaryRow = Pick<Selectable<Leads>, (typeof leadSummaryColumns)[number]>
export type ListedLeadRow = Pick<Selectable<Leads>, (typeof listedLeadColumns)[number]>
export type LeadRow = Pick<Selectable<Leads>, (typeof leadRowColumns)[number]>

export async function getLead(tx: TenantTx, id: string): Promise<LeadRow> {
  return requireNotDeleted(await findLeadIncludingDeleted(tx, id))
}

export async function findLeadIncludingDeleted(tx: TenantTx, id: string): Promise<LeadRow | undefined> {
  return (await selectLead(tx, { id }))[0]
}

const selectLead = compileOnce((tx: TenantTx, { id }: { id: string }) =>
  tx.selectFrom('crm.leads').select(leadRowColumns).where('id', '=', id),
)

export async function lockLead(tx: TenantTx, id: string): Promise<LeadRow> {
  return requireNotDeleted(await lockLeadIncludingDeleted(tx, id))
}

export function lockLeadIncludingDeleted(tx: TenantTx, id: string): Promise<LeadRow | undefined> {
  return tx.selectFrom('crm.leads').select(leadRowColumns).where('id', '=', id).forNoKeyUpdate().executeTakeFirst()
}

/** Locks the leads that exist, ordered by id to avoid deadlocks. */
export function lockLeads(tx: TenantTx, ids: readonly string[]): Promise<LeadRow[]> {
  return selectLeadsForUpdate(tx, ids).where('deleted_at', 'is', null).execute()
}

export function lockLeadsIncludingDeleted(tx: TenantTx, ids: readonly string[]): Promise<LeadRow[]> {
  return selectLeadsForUpdate(tx, ids).execute()
}

const selectLeadsForUpdate = (tx: TenantTx, ids: readonly string[]) =>
  tx
    .selectFrom('crm.leads')
    .select(leadRowColumns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()

export function requireNotDeleted<Row extends LeadRow>(lead: Row | undefined): Row {
  if (lead && lead.deleted_at === null) return lead
  if (lead?.merged_into_id)
    throw new AppError(404, 'not_found', 'This lead was merged into another lead.', {
      extra: { merged_into_id: lead.merged_into_id },
    })
  throw notFound('lead')
}

export type LeadColumns = Updateable<Leads>

export type LeadUpdateOptions = {
  /** Increments `version`. A trigger does this for most columns, but a stage can also change without a user's edit. */
  incrementVersion?: boolean
}

const nextVersion = { version: sql<number>`version + 1`, updated_at: sql<Date>`now()` }

export function updateLeadRow(
  tx: TenantTx,
  id: string,
  fields: LeadColumns,
  { incrementVersion = fields.lifecycle_stage !== undefined }: LeadUpdateOptions = {},
): Promise<LeadRow> {
  return tx
    .updateTable('crm.leads')
    .set({ ...fields, ...(incrementVersion && nextVersion) })
    .where('id', '=', id)
    .returning(leadRowColumns)
    .executeTakeFirstOrThrow()
}

export function updateLeadRows(
  tx: TenantTx,
  ids: readonly string[],
  fields: LeadColumns,
  { incrementVersion = fields.lifecycle_stage !== undefined }: LeadUpdateOptions = {},
): Promise<LeadRow[]> {
  return tx
    .updateTable('crm.leads')
    .set({ ...fields, ...(incrementVersion && nextVersion) })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning(leadRowColumns)
    .execute()
}

export type ValuesOfLead = { id: string; columns: LeadColumns }

const jsonColumns = ['utm', 'custom', 'score_reasons']

/** Updates leads that all get the same columns, each with its own values. */
export async function updateLeadRowsEach(
  tx: TenantTx,
  updates: readonly ValuesOfLead[],
  { incrementVersion = updates[0]?.columns.lifecycle_stage !== undefined }: LeadUpdateOptions = {},
): Promise<LeadRow[]> {
  const columns = Object.keys(updates[0]?.columns ?? {}).sort()
  const rows = updates.map(({ id, columns }) => {
    const values = Object.entries(columns).map(([name, value]) => [
      name,
      jsonColumns.includes(name) && typeof value === 'string' ? JSON.parse(value) : value,
    ])
    return { id, ...Object.fromEntries(values) }
  })
  const { rows: updated } = await sql<LeadRow>`
    update crm.leads lead set ${sql.join([
      ...columns.map((column) => sql`${sql.ref(column)} = changed.${sql.ref(column)}`),
      ...(incrementVersion ? [sql`version = lead.version + 1`, sql`updated_at = now()`] : []),
    ])}
    from jsonb_populate_recordset(null::crm.leads, ${JSON.stringify(rows)}::jsonb) as changed
    where lead.id = changed.id
    returning ${sql.join(leadRowColumns.map((column) => sql.ref(`lead.${column}`)))}
  `.execute(tx)
  return updated
}

/** Serializes creates with the same email address. Take this lock before any lead row lock. */
export async function lockLeadEmail(tx: TenantTx, emailKey: string): Promise<void> {
  await acquireAdvisoryLock(tx, `lead_address:${emailKey}`)
}

export async function lockLeadEmails(tx: TenantTx, emailKeys: Iterable<string>): Promise<void> {
  await acquireAdvisoryLocks(
    tx,
    [...emailKeys].map((emailKey) => `lead_address:${emailKey}`),
  )
}

export async function listEmailKeysIncludingDeleted(tx: TenantTx, ids: readonly string[]): Promise<string[]> {
  const leads = await tx
    .selectFrom('crm.leads')
    .select('email_key')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('email_key', 'is not', null)
    .execute()
  return leads.map(({ email_key }) => email_key!)
}

export async function findLeadIdsByEmails(tx: TenantTx, emailKeys: readonly string[]): Promise<Map<string, string>> {
  const leads = await tx
    .selectFrom('crm.leads')
    .distinctOn('email_key')
    .select(['email_key', 'id'])
    .where('email_key', '=', sql<string>`any(${emailKeys}::text[])`)
    .where('deleted_at', 'is', null)
    .orderBy('email_key')
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return new Map(leads.map(({ email_key, id }) => [email_key!, id]))
}

export async function findLeadIdByEmail(
  tx: TenantTx,
  emailKey: string,
  except: readonly string[] = [],
): Promise<string | undefined> {
  const lead = await tx
    .selectFrom('crm.leads')
    .select('id')
    .where('email_key', '=', emailKey)
    .where('id', '<>', sql<string>`all(${except}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return lead?.id
}
