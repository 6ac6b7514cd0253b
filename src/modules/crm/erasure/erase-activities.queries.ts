import { type SqlBool, sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

type RecordIds = { lead_ids: readonly string[]; contact_ids: readonly string[] }
type RelatedIds = { account_ids: readonly string[]; opportunity_ids: readonly string[] }

const isOwn = ({ lead_ids, contact_ids }: RecordIds) =>
  sql<SqlBool>`(lead_id = any (${lead_ids}::uuid[]) or contact_id = any (${contact_ids}::uuid[]))`

const isRelated = ({ account_ids, opportunity_ids }: RelatedIds) =>
  sql<SqlBool>`(account_id = any (${account_ids}::uuid[]) or opportunity_id = any (${opportunity_ids}::uuid[]))`

const hasMention = (mentions: readonly string[]) =>
  containsAnyText(sql`concat_ws(' ', subject, body, meta, external_id)`, mentions)

export async function listOwnActivityIds(
  tx: TenantTx,
  records: RecordIds,
  { after = nilUuid, limit }: { after?: string; limit: number },
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from crm.activities where ${isOwn(records)} and id > ${after}::uuid order by id limit ${sql.lit(limit)}
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function eraseOwnActivities(
  tx: TenantTx,
  records: RecordIds,
  { mentions, limit }: { mentions: readonly string[]; limit: number },
): Promise<number> {
  const isPersonalId = containsAnyText(sql`external_id`, mentions)
  const { numAffectedRows = 0n } = await sql`
    update crm.activities set subject = null, body = null, meta = '{}',
      external_id = case when ${isPersonalId} then null else external_id end
    where id = any (array(
      select id from crm.activities
      where ${isOwn(records)}
        and (subject is not null or body is not null or meta <> '{}' or (external_id is not null and ${isPersonalId}))
      order by id limit ${sql.lit(limit)} for no key update))
  `.execute(tx)
  return Number(numAffectedRows)
}

export type MentioningActivity = { id: string; subject: string | null; body: string | null }

export async function lockMentioningActivities(
  tx: TenantTx,
  related: RelatedIds,
  { mentions, after = nilUuid, limit }: { mentions: readonly string[]; after?: string; limit: number },
): Promise<MentioningActivity[]> {
  const { rows } = await sql<MentioningActivity>`
    select id, subject, body from crm.activities
    where ${isRelated(related)} and ${hasMention(mentions)} and id > ${after}::uuid
    order by id limit ${sql.lit(limit)} for no key update
  `.execute(tx)
  return rows
}

export async function updateActivityTexts(tx: TenantTx, activities: readonly MentioningActivity[]): Promise<void> {
  await sql`
    update crm.activities activity set subject = erased.subject, body = erased.body, meta = '{}', external_id = null
    from json_to_recordset(${JSON.stringify(activities)}::json) as erased (id uuid, subject text, body text)
    where activity.id = erased.id
  `.execute(tx)
}

export async function hasActivityTexts(tx: TenantTx, records: RecordIds): Promise<boolean> {
  const found = await tx
    .selectFrom('crm.activities')
    .select('id')
    .where(isOwn(records))
    .where(sql<SqlBool>`(subject is not null or body is not null or meta <> '{}')`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
