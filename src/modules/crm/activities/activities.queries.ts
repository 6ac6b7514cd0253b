import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Database, Page, TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { type Condition, walkPage } from '../lists/walk.queries.ts'

type Activities = Database['crm.activities']

export const parentKinds = ['lead', 'contact', 'account', 'opportunity'] as const
export type ParentKind = (typeof parentKinds)[number]

const columns = [
  ...(['id', 'lead_id', 'contact_id', 'account_id', 'opportunity_id', 'type', 'direction', 'subject', 'body'] as const),
  ...(['outcome', 'duration_seconds', 'occurred_at', 'due_at', 'completed_at', 'assignee_id', 'actor_type'] as const),
  ...([
    'actor_user_id',
    'source',
    'external_id',
    'campaign_id',
    'meta',
    'created_at',
    'updated_at',
    'version',
  ] as const),
] as const
export type ActivityRow = Pick<Selectable<Activities>, (typeof columns)[number]>

/** Nothing if the same source has told of it already. */
export function insertActivity(tx: TenantTx, activity: Insertable<Activities>): Promise<ActivityRow | undefined> {
  return tx
    .insertInto('crm.activities')
    .values(activity)
    .onConflict((told) => told.constraint('activities_external_id_unique').doNothing())
    .returning(columns)
    .executeTakeFirst()
}

export async function findActivityId(tx: TenantTx, source: string, externalId: string): Promise<string | undefined> {
  const found = await tx
    .selectFrom('crm.activities')
    .select('id')
    .where('source', '=', source)
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return found?.id
}

export function findActivity(tx: TenantTx, id: string): Promise<ActivityRow | undefined> {
  return tx.selectFrom('crm.activities').select(columns).where('id', '=', id).executeTakeFirst()
}

export function lockActivity(tx: TenantTx, id: string): Promise<ActivityRow | undefined> {
  return tx.selectFrom('crm.activities').select(columns).where('id', '=', id).forUpdate().executeTakeFirst()
}

export function changeActivityFields(tx: TenantTx, id: string, fields: Updateable<Activities>): Promise<ActivityRow> {
  return tx.updateTable('crm.activities').set(fields).where('id', '=', id).returning(columns).executeTakeFirstOrThrow()
}

export async function removeActivity(tx: TenantTx, id: string): Promise<void> {
  await tx.deleteFrom('crm.activities').where('id', '=', id).execute()
}

/** The leads a contact was made from. What happened with them is part of its history. */
export async function leadIdsOf(tx: TenantTx, contactId: string): Promise<string[]> {
  const leads = sql<{ id: string | null }>`(
    select lead_id as id from crm.contacts where id = ${contactId}
    union
    select id from crm.leads where converted_contact_id = ${contactId})`
  const rows = await tx.selectFrom(leads.as('lead')).select('lead.id').execute()
  return rows.flatMap(({ id }) => id ?? [])
}

type Asked = { type?: readonly string[]; from?: string; to?: string; open_tasks?: boolean }

const newestFirst = { by: { occurred_at: 'instant' }, isDescending: true } as const

/** What happened with a record, the latest first. */
export async function walkTimeline(
  tx: TenantTx,
  kind: ParentKind,
  id: string,
  { type, from, to, open_tasks, ...page }: Asked & PageQuery,
): Promise<Page<ActivityRow>> {
  const asked: Condition[] = []
  if (type) asked.push(sql<SqlBool>`type = any (${type}::text[])`)
  if (from) asked.push(sql<SqlBool>`occurred_at >= ${from}::timestamptz`)
  if (to) asked.push(sql<SqlBool>`occurred_at < ${to}::timestamptz`)
  if (open_tasks) asked.push(sql<SqlBool>`type = 'task' and completed_at is null`)
  const own = sql<SqlBool>`${sql.ref(`${kind}_id`)} = ${id}::uuid`
  // What became the contact's own is met on its own walk, and not a second time on the lead's.
  const earlier = (kind === 'contact' ? await leadIdsOf(tx, id) : []).map(
    (leadId) => sql<SqlBool>`lead_id = ${leadId}::uuid and contact_id is distinct from ${id}::uuid`,
  )
  const walks = [own, ...earlier].map((held) => ({ held: [held, ...asked] }))
  const plan = {
    table: 'crm.activities',
    columns,
    order: newestFirst,
    walks,
    fingerprint: { kind, id, type, from, to, open_tasks },
  }
  return await walkPage<ActivityRow>(tx, plan, page)
}
