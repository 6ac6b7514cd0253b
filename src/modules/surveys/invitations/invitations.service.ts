import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { conflict, invalid } from '#platform/errors'
import { getSurveyRow } from '../survey-records/surveys.queries.ts'
import { assertOwnsOrManages } from '../survey-records/surveys.rules.ts'
import { type InvitationDetails, listInvitationRows, lockInvitationOf, markRevoked } from './invitations.queries.ts'
import type { Invitation, InvitationQuery } from './invitations.schemas.ts'

export async function listSurveyInvitations(
  tx: TenantTx,
  surveyId: string,
  { status, distribution_id, search, ...page }: InvitationQuery,
): Promise<Page<Invitation>> {
  const { anonymous } = await getSurveyRow(tx, surveyId)
  if (anonymous && status)
    throw invalid('query', '/status', 'not_allowed', '`status` must not be sent for an anonymous survey.')
  const filter = { surveyId, status, distribution_id, search }
  const { items, ...rest } = await listInvitationRows(tx, filter, page)
  return { ...rest, items: items.map((row) => toInvitation(row, anonymous)) }
}

function toInvitation({ updated_at: _, version: __, ...row }: InvitationDetails, isAnonymous: boolean): Invitation {
  const { id, survey_id, distribution_id, email, sent_at, created_at } = row
  if (!isAnonymous) return { ...row, status: row.status as Invitation['status'] }
  return {
    id,
    survey_id,
    distribution_id,
    email,
    sent_at,
    created_at,
    name: null,
    contact_id: null,
    lead_id: null,
    account_id: null,
    language: null,
    lifecycle_stage: null,
    status: null,
    failure_reason: null,
    responded_at: null,
    expires_at: null,
    reminders_sent: null,
  }
}

const openStatuses: readonly string[] = ['pending', 'sent', 'partial']

/** Revokes an open invitation. An email that waits is not sent. */
export async function deleteSurveyInvitation(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  invitationId: string,
): Promise<void> {
  const survey = await getSurveyRow(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  const invitation = await lockInvitationOf(tx, surveyId, invitationId)
  if (!openStatuses.includes(invitation.status)) {
    const message = 'The invitation is not open, so it cannot be revoked.'
    throw conflict('invalid_transition', message, { from: invitation.status, to: 'revoked', allowed: [] })
  }
  await markRevoked(tx, [invitationId])
  await recordAudit(tx, 'survey.invitation_revoked', {
    id: surveyId,
    label: survey.name,
    after: { invitation_id: invitationId },
  })
}
