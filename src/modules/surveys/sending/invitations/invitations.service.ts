import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { Page, TenantTx } from '#platform/db'
import { invalid, invalidTransition } from '#platform/errors'
import { getSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { assertOwnsOrManages } from '../../design/survey-records/surveys.rules.ts'
import { listInvitationRows, lockInvitationOf, markRevoked } from './invitations.queries.ts'
import { assertMaySearchPersons, toInvitation } from './invitations.rules.ts'
import type { Invitation, InvitationQuery } from './invitations.schemas.ts'

export async function listSurveyInvitations(
  tx: TenantTx,
  { scopes }: UserActor,
  surveyId: string,
  { status, distribution_id, search, ...page }: InvitationQuery,
): Promise<Page<Invitation>> {
  if (search) assertMaySearchPersons(scopes)
  const { anonymous: isAnonymous } = await getSurveyRow(tx, surveyId)
  if (isAnonymous && status)
    throw invalid('query', '/status', 'not_allowed', '`status` must not be sent for an anonymous survey.')
  const filter = { surveyId, status, distribution_id, search }
  const { items, ...rest } = await listInvitationRows(tx, filter, page)
  return { ...rest, items: items.map((row) => toInvitation(row, { isAnonymous, scopes })) }
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
    throw invalidTransition(message, { from: invitation.status, to: 'revoked', allowed: [] })
  }
  await markRevoked(tx, [invitationId])
  await recordAudit(tx, 'survey.invitation_revoked', {
    id: surveyId,
    label: survey.name,
    after: { invitation_id: invitationId },
  })
}
