import { sql } from 'kysely'
import { acquireAdvisoryLock, type TenantTx } from '#platform/db'

/** Serializes the choice of recipients, so that two distributions do not invite the same address. */
export const lockInvitationChoice = (tx: TenantTx): Promise<void> => acquireAdvisoryLock(tx, 'survey_invitations')

export type InvitedKey = { email_key: string; distribution_id: string }

/** Returns open invitations to the survey, and all of the distribution. */
export async function listInvitedKeys(
  tx: TenantTx,
  surveyId: string,
  distributionId: string | null,
  keys: readonly string[],
): Promise<InvitedKey[]> {
  const invited = sql<InvitedKey>`(
    select email_key, distribution_id from (
      select email_key, distribution_id, survey_id, status from surveys.invitations
      where email_key = any (${keys}::text[]) offset 0) as found
    where survey_id = ${surveyId}::uuid
      and (status in ('pending', 'sent', 'partial') or distribution_id = ${distributionId}::uuid))`
  return await tx.selectFrom(invited.as('invited')).select(['invited.email_key', 'invited.distribution_id']).execute()
}

/** Returns the addresses that got an invitation to any survey since then, or will get one. */
export async function listThrottledKeys(tx: TenantTx, keys: readonly string[], since: Date): Promise<Set<string>> {
  const throttled = sql<{ email_key: string }>`(
    select distinct email_key from (
      select email_key, sent_at, status from surveys.invitations where email_key = any (${keys}::text[]) offset 0) as found
    where sent_at > ${since}::timestamptz or (sent_at is null and status = 'pending'))`
  const rows = await tx.selectFrom(throttled.as('throttled')).select('throttled.email_key').execute()
  return new Set(rows.map(({ email_key }) => email_key))
}

export type NewInvitation = {
  id: string
  survey_id: string
  distribution_id: string
  /** Hexadecimal. */
  token_hash: string
  key_version: number
  email: string
  name: string | null
  contact_id: string | null
  lead_id: string | null
  account_id: string | null
  language: string
  lifecycle_stage: string | null
  segment_ids: string[]
  expires_at: Date
}

/** Returns the ids of the inserted rows: an address with an open invitation to the survey is left out. */
export async function insertInvitations(tx: TenantTx, invitations: readonly NewInvitation[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    insert into surveys.invitations (id, survey_id, distribution_id, token_hash, key_version, email, name, contact_id, lead_id,
      account_id, language, lifecycle_stage, segment_ids, expires_at)
    select id, survey_id, distribution_id, decode(token_hash, 'hex'), key_version, email, name, contact_id, lead_id,
      account_id, language, lifecycle_stage, segment_ids, expires_at
    from json_to_recordset(${JSON.stringify(invitations)}::json) as invitation (id uuid, survey_id uuid, distribution_id uuid,
      token_hash text, key_version smallint, email text, name text, contact_id uuid, lead_id uuid, account_id uuid, language text,
      lifecycle_stage text, segment_ids uuid[], expires_at timestamptz)
    on conflict do nothing
    returning id
  `.execute(tx)
  return new Set(rows.map(({ id }) => id))
}

type AddedSegment = { email_key: string; segment_id: string }

export async function listInvitationIdsByKeys(
  tx: TenantTx,
  distributionId: string,
  keys: readonly string[],
): Promise<string[]> {
  const found = sql<{ id: string }>`(
    select id from (
      select id, distribution_id from surveys.invitations where email_key = any (${keys}::text[]) offset 0) as found
    where distribution_id = ${distributionId}::uuid)`
  const rows = await tx.selectFrom(found.as('found')).select('found.id').execute()
  return rows.map(({ id }) => id)
}

/** Adds segments to the invitations of persons who are in several segments of the audience. */
export async function addInvitationSegments(
  tx: TenantTx,
  ids: readonly string[],
  added: readonly AddedSegment[],
): Promise<void> {
  await sql`
    update surveys.invitations invitation set segment_ids = invitation.segment_ids || added.segment_id
    from json_to_recordset(${JSON.stringify(added)}::json) as added (email_key text, segment_id uuid)
    where invitation.id = any (${ids}::uuid[]) and invitation.email_key = added.email_key
      and not added.segment_id = any (invitation.segment_ids)
  `.execute(tx)
}

/** Counts invited contacts and leads, up to `limit`. */
export async function countInvitedPersons(tx: TenantTx, surveyId: string, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    select count(*)::integer as n from (
      select from surveys.invitations
      where survey_id = ${surveyId}::uuid and num_nonnulls(contact_id, lead_id) > 0 limit ${limit}::integer) as invited
  `.execute(tx)
  return rows[0]!.n
}

export async function addInvited(tx: TenantTx, surveyId: string, invited: number): Promise<void> {
  await tx
    .updateTable('surveys.counters')
    .set((eb) => ({ invited: eb('invited', '+', invited) }))
    .where('survey_id', '=', surveyId)
    .execute()
}
