import { type SqlBool, sql } from 'kysely'
import { containsAnyText, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

type RecordIds = { lead_ids: readonly string[]; contact_ids: readonly string[] }

const isOwn = ({ lead_ids, contact_ids }: RecordIds) =>
  sql<SqlBool>`(lead_id = any (${lead_ids}::uuid[]) or contact_id = any (${contact_ids}::uuid[]))`

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

/** In the order of the ids, to avoid deadlocks. */
export async function lockActivityTexts(tx: TenantTx, ids: readonly string[]): Promise<MentioningActivity[]> {
  return await tx
    .selectFrom('crm.activities')
    .select(['id', 'subject', 'body'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
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
