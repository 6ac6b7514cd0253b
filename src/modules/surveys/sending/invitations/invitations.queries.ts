import { type Selectable, sql } from 'kysely'
import { matchesPersonSearch, searchPersons } from '#modules/crm'
import {
  type Condition,
  type Database,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import { notFound } from '#platform/errors'
import type { SortedPageQuery } from '#platform/schema'

const columns = [
  'id',
  'survey_id',
  'distribution_id',
  'email',
  'name',
  'contact_id',
  'lead_id',
  'account_id',
  'language',
  'lifecycle_stage',
  'status',
  'failure_reason',
  'sent_at',
  'responded_at',
  'expires_at',
  'reminders_sent',
  'created_at',
  'updated_at',
  'version',
] as const
export type InvitationDetails = Pick<Selectable<Database['surveys.invitations']>, (typeof columns)[number]>

export type InvitationFilter = {
  surveyId: string
  distribution_id?: string
  status?: readonly string[]
  search?: string
}

const table = 'surveys.invitations'
const column = (name: string) => sql.ref(`${table}.${name}`)
const orders: SortOrders = { created_at: { by: { created_at: 'timestamp' } } }

/** One index scan per status; each of them has an index with the order of the list. */
export async function listInvitationRows(
  tx: TenantTx,
  filter: InvitationFilter,
  query: SortedPageQuery,
): Promise<Page<InvitationDetails>> {
  const conditions = await toConditions(tx, filter)
  const statuses = [...new Set(filter.status)]
  const plan: PagePlan = {
    table,
    columns,
    order: sortOrderOf(orders, query.sort ?? '-created_at'),
    filters: filter,
    scans: statuses.length
      ? statuses.map((status) => ({ conditions: [...conditions, sql<boolean>`${column('status')} = ${status}`] }))
      : [{ conditions }],
  }
  return await readPage<InvitationDetails>(tx, plan, query)
}

async function toConditions(
  tx: TenantTx,
  { surveyId, distribution_id, search }: InvitationFilter,
): Promise<Condition[]> {
  const isOfSurvey: Condition = distribution_id
    ? sql`${column('distribution_id')} = ${distribution_id}::uuid and ${column('survey_id')} = ${surveyId}::uuid`
    : sql`${column('survey_id')} = ${surveyId}::uuid`
  if (!search) return [isOfSurvey]
  const found = await searchPersons(tx, search)
  const key = search.toLowerCase()
  if (!found) {
    const matches = matchesPersonSearch(search, { lead_id: column('lead_id'), contact_id: column('contact_id') })
    return [isOfSurvey, sql`(${column('email_key')} = ${key} or ${matches})`]
  }
  const ids = sql<{ id: string }>`(
    select id from (select id, survey_id from surveys.invitations where email_key = ${key} offset 0) as by_email
    where survey_id = ${surveyId}::uuid
    union
    select id from (
      select id, survey_id from surveys.invitations where contact_id = any (${found.contactIds}::uuid[]) offset 0) as by_contact
    where survey_id = ${surveyId}::uuid
    union
    select id from (
      select id, survey_id from surveys.invitations where lead_id = any (${found.leadIds}::uuid[]) offset 0) as by_lead
    where survey_id = ${surveyId}::uuid)`
  const rows = await tx.selectFrom(ids.as('found')).select('found.id').execute()
  const isFound: Condition = sql`${column('id')} = any (${rows.map(({ id }) => id)}::uuid[])`
  return distribution_id ? [isFound, sql`${column('distribution_id')} = ${distribution_id}::uuid`] : [isFound]
}

export async function lockInvitationOf(tx: TenantTx, surveyId: string, id: string): Promise<InvitationDetails> {
  return await tx
    .selectFrom('surveys.invitations')
    .select(columns)
    .where('id', '=', id)
    .where('survey_id', '=', surveyId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow(() => notFound('invitation'))
}

export async function lockInvitations(tx: TenantTx, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await sql`
    select id from surveys.invitations where id = any (${ids}::uuid[]) order by id for no key update
  `.execute(tx)
}

export async function markRevoked(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await tx
    .updateTable('surveys.invitations')
    .set({ status: 'revoked' })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('status', 'in', ['pending', 'sent', 'partial'])
    .execute()
}

export async function listPendingIds(tx: TenantTx, distributionId: string, limit: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('surveys.invitations')
    .select('id')
    .where('distribution_id', '=', distributionId)
    .where('status', '=', sql.lit('pending'))
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function listDistributionIds(tx: TenantTx, invitationIds: readonly string[]): Promise<string[]> {
  const rows = await tx
    .selectFrom('surveys.invitations')
    .select('distribution_id')
    .distinct()
    .where('id', '=', sql<string>`any(${invitationIds}::uuid[])`)
    .execute()
  return rows.map(({ distribution_id }) => distribution_id)
}
