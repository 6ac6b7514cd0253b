import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type EmailedResult = { id: string; status: string; failure_reason: string | null }

export type StoredResult = {
  survey_id: string
  distribution_id: string
  status: string
  former_status: string
  was_sent: boolean
}

/**
 * Stores results of emails; invitations that are no longer open keep their status. An email that was sent counts as sent, even if
 * it bounced at once or its invitation was used or revoked before the result was stored.
 */
export async function updateInvitationResults(
  tx: TenantTx,
  results: readonly EmailedResult[],
  now: Date,
): Promise<StoredResult[]> {
  const { rows } = await sql<StoredResult>`
    with result as (
      select id, status, failure_reason
      from json_to_recordset(${JSON.stringify(results)}::json) as result (id uuid, status text, failure_reason text)
    ), former as (
      select id, status, sent_at from surveys.invitations where id = any (${results.map(({ id }) => id)}::uuid[])
    )
    update surveys.invitations invitation
    set
      status = case when ${replaces} then result.status else former.status end,
      failure_reason = case when ${replaces} then result.failure_reason else invitation.failure_reason end,
      sent_at = case when result.status in ('sent', 'bounced') then coalesce(former.sent_at, ${now}) else former.sent_at end
    from result join former using (id)
    where invitation.id = result.id
      and (${replaces} or (result.status in ('sent', 'bounced') and former.sent_at is null))
    returning invitation.survey_id, invitation.distribution_id, invitation.status, former.status as former_status,
      former.sent_at is null and invitation.sent_at is not null as was_sent
  `.execute(tx)
  return rows
}

/** A later result never replaces a response; only an invitation that was not sent can fail. */
const replaces = sql<boolean>`(former.status = 'pending'
  or (former.status in ('sent', 'partial') and result.status in ('bounced', 'unsubscribed', 'revoked')))`

export async function hasPendingInvitations(tx: TenantTx, distributionId: string): Promise<boolean> {
  const pending = await tx
    .selectFrom('surveys.invitations')
    .select('id')
    .where('distribution_id', '=', distributionId)
    .where('status', '=', sql.lit('pending'))
    .limit(sql.lit(1))
    .executeTakeFirst()
  return pending !== undefined
}

export async function addSent(
  tx: TenantTx,
  surveyId: string,
  { sent, bounced }: { sent: number; bounced: number },
): Promise<void> {
  await tx
    .updateTable('surveys.counters')
    .set((eb) => ({ sent: eb('sent', '+', sent), bounced: eb('bounced', '+', bounced) }))
    .where('survey_id', '=', surveyId)
    .execute()
}
