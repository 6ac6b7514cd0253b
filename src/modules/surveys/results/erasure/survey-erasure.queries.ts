import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type ErasedRespondent = {
  emailKeys: readonly string[]
  contactIds: readonly string[]
  leadIds: readonly string[]
}

export async function lockInvitationIdsOf(
  tx: TenantTx,
  { emailKeys, contactIds, leadIds }: ErasedRespondent,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from surveys.invitations where id = any (array(
      select id from surveys.invitations where email_key = any (${emailKeys}::text[])
      union select id from surveys.invitations where contact_id = any (${contactIds}::uuid[])
      union select id from surveys.invitations where lead_id = any (${leadIds}::uuid[])))
    order by id for no key update
  `.execute(tx)
  return rows.map(({ id }) => id)
}

export async function listResponseIdsOf(
  tx: TenantTx,
  invitationIds: readonly string[],
  { contactIds, leadIds }: ErasedRespondent,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from surveys.responses where invitation_id = any (${invitationIds}::uuid[])
    union select id from surveys.responses where contact_id = any (${contactIds}::uuid[])
    union select id from surveys.responses where lead_id = any (${leadIds}::uuid[])
  `.execute(tx)
  return rows.map(({ id }) => id)
}

/** Numbers and choices stay, so that results do not change. */
export async function eraseAnswerTexts(tx: TenantTx, responseIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update surveys.answers set value_text = null
    where response_id = any (${responseIds}::uuid[]) and value_text is not null
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Finds addresses that were entered in a public link, whose responses belong to no record. */
export async function eraseAnsweredAddresses(tx: TenantTx, emailKeys: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update surveys.answers as answer set value_text = null
    from surveys.questions as question
    where question.question_type = 'email' and answer.survey_id = question.survey_id and answer.question_id = question.id
      and answer.value_text is not null and lower(answer.value_text) = any (${emailKeys}::text[])
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Finds addresses in answers to open anonymous surveys, which belong to no record either. */
export async function eraseWaitingAddresses(tx: TenantTx, emailKeys: readonly string[]): Promise<number> {
  const isErased = sql`question.id::text = given.answer ->> 'question_id' and lower(given.answer ->> 'value_text') = any (${emailKeys}::text[])`
  const { numAffectedRows } = await sql`
    update surveys.unreleased_responses as waiting set answers = (
      select jsonb_agg(case when exists (select from surveys.questions as question
          where question.question_type = 'email' and question.survey_id = waiting.survey_id and ${isErased})
        then given.answer || '{"value_text": null}' else given.answer end order by given.place)
      from jsonb_array_elements(waiting.answers) with ordinality as given (answer, place))
    where exists (
      select from surveys.questions as question, jsonb_array_elements(waiting.answers) as given (answer)
      where question.question_type = 'email' and question.survey_id = waiting.survey_id and ${isErased})
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes addresses from drafts, which have the answers by the key of their question. */
export async function eraseDraftAddresses(tx: TenantTx, emailKeys: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update surveys.drafts as draft set answers = draft.answers - array(
      select question.key from surveys.questions as question
      where question.question_type = 'email' and question.survey_id = draft.survey_id
        and lower(draft.answers ->> question.key) = any (${emailKeys}::text[]))
    where exists (
      select from surveys.questions as question
      where question.question_type = 'email' and question.survey_id = draft.survey_id
        and lower(draft.answers ->> question.key) = any (${emailKeys}::text[]))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function unlinkResponses(tx: TenantTx, responseIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update surveys.responses set contact_id = null, lead_id = null, account_id = null, body_hash = null
    where id = any (${responseIds}::uuid[])
      and (num_nonnulls(contact_id, lead_id, account_id) > 0 or body_hash is not null)
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

export async function deleteDraftsOf(tx: TenantTx, invitationIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from surveys.drafts where holder_hash = any (array(
      select token_hash from surveys.invitations where id = any (${invitationIds}::uuid[])))
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Invitations that are not answered yet are revoked, because no reminder can be sent. */
export async function eraseInvitations(tx: TenantTx, invitationIds: readonly string[]): Promise<number> {
  const { numAffectedRows } = await sql`
    update surveys.invitations set email = null, name = null, contact_id = null, lead_id = null, account_id = null,
      status = case when status in ('pending', 'sent', 'partial') then 'revoked' else status end
    where id = any (${invitationIds}::uuid[]) and num_nonnulls(email, name, contact_id, lead_id, account_id) > 0
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Another recipient takes the place of the erased one, because a running distribution counts them; an invited address is skipped. */
export async function eraseAudiences(tx: TenantTx, emailKeys: readonly string[]): Promise<number> {
  const isErased = (recipient: string) => sql`lower(${sql.ref(recipient)} ->> 'email') = any (${emailKeys}::text[])`
  const { numAffectedRows } = await sql`
    with named as (
      select id from surveys.distributions
      where jsonb_typeof(audience -> 'emails') = 'array'
        and exists (select from jsonb_array_elements(audience -> 'emails') as entry (recipient) where ${isErased('entry.recipient')})
      order by id for no key update)
    update surveys.distributions as distribution set audience = jsonb_set(audience, '{emails}', (
      select coalesce(jsonb_agg(case when ${isErased('entry.recipient')} then other.recipient else entry.recipient end order by place)
        filter (where other.recipient is not null), '[]')
      from jsonb_array_elements(audience -> 'emails') with ordinality as entry (recipient, place)
      left join lateral (
        select kept.recipient from jsonb_array_elements(audience -> 'emails') as kept (recipient)
        where not ${isErased('kept.recipient')} limit 1) as other on true))
    from named where distribution.id = named.id
  `.execute(tx)
  return Number(numAffectedRows ?? 0)
}
