import { type Insertable, type RawBuilder, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import {
  type Condition,
  type Database,
  type Page,
  type PagePlan,
  readPage,
  type SortOrders,
  selectRows,
  sortOrderOf,
  type TenantTx,
} from '#platform/db'
import type { SortedPageQuery } from '#platform/schema'

type Activities = Database['crm.activities']

export const parentKinds = ['lead', 'contact', 'account', 'opportunity'] as const
export type ParentKind = (typeof parentKinds)[number]

export const activityColumns = [
  'id',
  'lead_id',
  'contact_id',
  'account_id',
  'opportunity_id',
  'type',
  'direction',
  'subject',
  'body',
  'outcome',
  'duration_seconds',
  'occurred_at',
  'due_at',
  'completed_at',
  'assignee_id',
  'actor_type',
  'actor_user_id',
  'source',
  'external_id',
  'campaign_id',
  'meta',
  'created_at',
  'updated_at',
  'version',
] as const
export type ActivityRow = Pick<Selectable<Activities>, (typeof activityColumns)[number]>

/** Returns undefined if the source already logged this `external_id`. */
export function insertActivity(tx: TenantTx, activity: Insertable<Activities>): Promise<ActivityRow | undefined> {
  return tx
    .insertInto('crm.activities')
    .values(activity)
    .onConflict((conflict) => conflict.constraint('activities_external_id_unique').doNothing())
    .returning(activityColumns)
    .executeTakeFirst()
}

/** Inserts the result of `selectRows`, except for rows whose source already logged their `external_id`. */
export function insertSelected<Row extends Insertable<Activities>>(
  tx: TenantTx,
  { columns, rows }: { columns: (keyof Row & keyof Activities)[]; rows: RawBuilder<Row> },
): Promise<ActivityRow[]> {
  return tx
    .insertInto('crm.activities')
    .columns(columns)
    .expression(rows)
    .onConflict((conflict) => conflict.constraint('activities_external_id_unique').doNothing())
    .returning(activityColumns)
    .execute()
}

export type NewSignal = Pick<
  ActivityRow,
  | 'id'
  | 'lead_id'
  | 'contact_id'
  | 'account_id'
  | 'type'
  | 'direction'
  | 'subject'
  | 'occurred_at'
  | 'actor_type'
  | 'actor_user_id'
  | 'source'
  | 'external_id'
  | 'campaign_id'
>

export function insertActivities(tx: TenantTx, activities: readonly NewSignal[]): Promise<ActivityRow[]> {
  const selected = selectRows(activities, {
    id: 'uuid',
    lead_id: 'uuid',
    contact_id: 'uuid',
    account_id: 'uuid',
    type: 'text',
    direction: 'text',
    subject: 'text',
    occurred_at: 'timestamptz',
    actor_type: 'text',
    actor_user_id: 'uuid',
    source: 'text',
    external_id: 'text',
    campaign_id: 'uuid',
  })
  return insertSelected(tx, selected)
}

export async function findActivityId(tx: TenantTx, source: string, externalId: string): Promise<string | undefined> {
  const activity = await tx
    .selectFrom('crm.activities')
    .select('id')
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return activity?.id
}

export async function listActivityIds(tx: TenantTx, source: string, externalIds: readonly string[]): Promise<string[]> {
  const activities = await tx
    .selectFrom('crm.activities')
    .select('id')
    .where('source', '=', source)
    .where('external_id', '=', sql<string>`any(${externalIds}::text[])`)
    .execute()
  return activities.map(({ id }) => id)
}

export function findActivity(tx: TenantTx, id: string): Promise<ActivityRow | undefined> {
  return tx.selectFrom('crm.activities').select(activityColumns).where('id', '=', id).executeTakeFirst()
}

export function lockActivity(tx: TenantTx, id: string): Promise<ActivityRow | undefined> {
  return tx.selectFrom('crm.activities').select(activityColumns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function updateActivityRow(tx: TenantTx, id: string, fields: Updateable<Activities>): Promise<ActivityRow> {
  return tx
    .updateTable('crm.activities')
    .set(fields)
    .where('id', '=', id)
    .returning(activityColumns)
    .executeTakeFirstOrThrow()
}

export async function deleteActivityRow(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('crm.activities').where('id', '=', id).execute()
}

/** Leads that were converted to the contact; their activities belong to its timeline. */
export async function listSourceLeadIds(tx: TenantTx, contactId: string): Promise<string[]> {
  const leads = sql<{ id: string | null }>`(
    select lead_id as id from crm.contacts where id = ${contactId}
    union
    select id from crm.leads where converted_contact_id = ${contactId})`
  const rows = await tx.selectFrom(leads.as('lead')).select('lead.id').execute()
  return rows.flatMap(({ id }) => id ?? [])
}

type TimelineFilter = { type?: readonly string[]; from?: string; to?: string; open_tasks?: boolean }

const orders: SortOrders = { occurred_at: { by: { occurred_at: 'timestamp' } } }

export async function listActivityRows(
  tx: TenantTx,
  kind: ParentKind,
  id: string,
  { type, from, to, open_tasks, sort = '-occurred_at', ...page }: TimelineFilter & SortedPageQuery,
): Promise<Page<ActivityRow>> {
  const conditions: Condition[] = []
  if (type) conditions.push(sql<SqlBool>`type = any (${type}::text[])`)
  if (from) conditions.push(sql<SqlBool>`occurred_at >= ${from}::timestamptz`)
  if (to) conditions.push(sql<SqlBool>`occurred_at < ${to}::timestamptz`)
  if (open_tasks) conditions.push(sql<SqlBool>`type = 'task' and completed_at is null`)
  const ownActivities = sql<SqlBool>`${sql.ref(`${kind}_id`)} = ${id}::uuid`
  // Exclude lead activities that were moved to the contact, or they appear twice.
  const leadActivities = (kind === 'contact' ? await listSourceLeadIds(tx, id) : []).map(
    (leadId) => sql<SqlBool>`lead_id = ${leadId}::uuid and contact_id is distinct from ${id}::uuid`,
  )
  const scans = [ownActivities, ...leadActivities].map((scan) => ({ conditions: [scan, ...conditions] }))
  const plan: PagePlan = {
    table: 'crm.activities',
    columns: activityColumns,
    order: sortOrderOf(orders, sort),
    scans,
    filters: { kind, id, type, from, to, open_tasks },
  }
  return await readPage<ActivityRow>(tx, plan, page)
}
