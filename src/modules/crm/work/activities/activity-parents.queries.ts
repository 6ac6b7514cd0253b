import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import type { ActivityParentIds } from '../../records/system-activities/system-activities.queries.ts'
import type { ParentKind } from './activities.queries.ts'
import { passiveType, responseTypes } from './activity.rules.ts'

type ActivityTime = { at: Date; isEngagement: boolean }

/** Lock order: deals, accounts, contacts. */
export async function updateLastActivity(
  tx: TenantTx,
  { opportunity_id, account_id, contact_id }: ActivityParentIds,
  { at, isEngagement }: ActivityTime,
): Promise<void> {
  const isLater = sql<SqlBool>`last_activity_at is null or last_activity_at < ${at}`
  if (opportunity_id)
    await sql`update crm.opportunities set last_activity_at = ${at} where id = ${opportunity_id} and (${isLater})`.execute(
      tx,
    )
  if (account_id)
    await sql`update crm.accounts set last_activity_at = ${at} where id = ${account_id} and (${isLater})`.execute(tx)
  if (contact_id)
    await sql`
      update crm.contacts set last_activity_at = greatest(last_activity_at, ${at}::timestamptz),
        last_engaged_at = case when ${isEngagement}::boolean then greatest(last_engaged_at, ${at}::timestamptz) else last_engaged_at end
      where id = ${contact_id}
    `.execute(tx)
}

type ActivityParents = {
  account_id: string | null
  contact_id: string | null
  lead_id: string | null
  occurred_at: Date
}

/** Locked in id order, because several rows are updated. Later times of one record win. */
const recordActivityTimes = async (
  tx: TenantTx,
  table: string,
  ids: readonly (string | null)[],
  { times, isEngagement }: { times: readonly Date[]; isEngagement: boolean },
): Promise<void> => {
  if (ids.every((id) => id === null)) return
  const records = sql.table(table)
  await sql`select id from ${records} where id = any (${ids}::uuid[]) order by id for no key update`.execute(tx)
  const engaged = isEngagement ? sql`, last_engaged_at = greatest(record.last_engaged_at, touched.at)` : sql``
  await sql`
    update ${records} record set last_activity_at = greatest(record.last_activity_at, touched.at) ${engaged}
    from (
      select id, max(at) as at from unnest(${ids}::uuid[], ${times}::timestamptz[]) as touch (id, at) where id is not null group by id
    ) as touched
    where record.id = touched.id
  `.execute(tx)
}

const timesOf = (activities: readonly ActivityParents[]) => activities.map(({ occurred_at }) => occurred_at)

/** For activities of persons. Call it before `recordContactActivity`. */
export const recordAccountActivity = (tx: TenantTx, activities: readonly ActivityParents[]): Promise<void> =>
  recordActivityTimes(
    tx,
    'crm.accounts',
    activities.map(({ account_id }) => account_id),
    { times: timesOf(activities), isEngagement: false },
  )

export const recordContactActivity = (tx: TenantTx, activities: readonly ActivityParents[]): Promise<void> =>
  recordActivityTimes(
    tx,
    'crm.contacts',
    activities.map(({ contact_id }) => contact_id),
    { times: timesOf(activities), isEngagement: true },
  )

export const recordLeadActivity = (tx: TenantTx, activities: readonly ActivityParents[]): Promise<void> =>
  recordActivityTimes(
    tx,
    'crm.leads',
    activities.map(({ lead_id }) => lead_id),
    { times: timesOf(activities), isEngagement: true },
  )

/** For emails to persons: sending is not an engagement. Leads are locked before. */
export async function recordSentTimes(tx: TenantTx, activities: readonly ActivityParents[]): Promise<void> {
  const update = (table: string, column: 'account_id' | 'contact_id' | 'lead_id') =>
    recordActivityTimes(
      tx,
      table,
      activities.map((activity) => activity[column]),
      { times: timesOf(activities), isEngagement: false },
    )
  await update('crm.leads', 'lead_id')
  await update('crm.accounts', 'account_id')
  await update('crm.contacts', 'contact_id')
}

export function listLeadParents(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('crm.leads')
    .select(['id', 'converted_contact_id as contact_id', 'converted_account_id as account_id', 'version'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

export function listContactParents(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('crm.contacts')
    .select(['id', 'account_id', 'version'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
}

/** Take these locks before the lock of the activity. Lock order: deals, accounts, contacts. */
export async function lockActivityParents(
  tx: TenantTx,
  { opportunity_id, account_id, contact_id }: ActivityParentIds,
): Promise<void> {
  const lock = (table: string, id: string) =>
    sql`select from ${sql.table(table)} where id = ${id} for no key update`.execute(tx)
  if (opportunity_id) await lock('crm.opportunities', opportunity_id)
  if (account_id) await lock('crm.accounts', account_id)
  if (contact_id) await lock('crm.contacts', contact_id)
}

/** Recalculates from the remaining activities after a delete. */
export async function recalculateLastActivity(tx: TenantTx, parent: ActivityParentIds): Promise<void> {
  const { opportunity_id, account_id, contact_id } = parent
  const recalculate = (table: string, column: string, id: string) =>
    sql`update ${sql.table(table)} set last_activity_at = ${latestActivity(column, id)} where id = ${id}`.execute(tx)
  if (opportunity_id) await recalculate('crm.opportunities', 'opportunity_id', opportunity_id)
  if (account_id) await recalculate('crm.accounts', 'account_id', account_id)
  if (contact_id)
    await sql`
      update crm.contacts set last_activity_at = ${latestActivity('contact_id', contact_id)},
        last_engaged_at = ${latestActivity('contact_id', contact_id, isEngagementSql)}
      where id = ${contact_id}
    `.execute(tx)
}

const isEngagementSql = sql<SqlBool>`direction = 'in' and type <> ${passiveType}`

/** One subquery per time, because PostgreSQL reads the end of an index for a single max() only. */
const latestActivity = (column: string, id: string, condition = sql<SqlBool>`true`) => sql<Date | null>`(
  select max(occurred_at) from crm.activities
  where ${sql.ref(column)} = ${id}::uuid and actor_type <> 'system' and ${condition})`

export async function getLeadActivitySummary(tx: TenantTx, leadId: string, countsAutomated: boolean) {
  const { rows } = await sql<{ last_activity_at: Date | null; last_engaged_at: Date | null }>`
    select ${latestActivity('lead_id', leadId)} as last_activity_at,
      ${latestActivity('lead_id', leadId, isEngagementSql)} as last_engaged_at
  `.execute(tx)
  const actorTypes = countsAutomated ? ['user', 'automation'] : ['user']
  const first = await tx
    .selectFrom('crm.activities')
    .select(['occurred_at', 'actor_user_id'])
    .where('lead_id', '=', leadId)
    .where('type', '=', sql<string>`any(${responseTypes}::text[])`)
    .where('direction', '=', 'out')
    .where('actor_type', '=', sql<string>`any(${actorTypes}::text[])`)
    .orderBy('occurred_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return { ...rows[0]!, first }
}

export async function findSurvivingId(tx: TenantTx, kind: ParentKind, id: string): Promise<string | undefined> {
  if (kind !== 'lead' && kind !== 'contact') return undefined
  const table = sql.table(kind === 'lead' ? 'crm.leads' : 'crm.contacts')
  const { rows } = await sql<{ id: string }>`
    with recursive merged as (
      select merged_into_id as id, 1 as depth from ${table} where id = ${id} and merged_into_id is not null
      union all
      select record.merged_into_id, depth + 1 from merged join ${table} record on record.id = merged.id
      where record.merged_into_id is not null and depth < 100
    )
    select id from merged order by depth desc limit 1
  `.execute(tx)
  return rows[0]?.id
}
