import type { TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'
import { hashToken } from '#platform/secrets'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { hasUsedToken } from '../responses/respondents.queries.ts'
import { findSubmission, type SubmittedRow } from '../responses/responses.queries.ts'
import type { TokenHolder } from './respond.rules.ts'
import { findInvitationByTokenHash, findLinkByTokenHash } from './token-holders.queries.ts'

/** Looks up both kinds of token, so that unknown ones cost the same. */
export async function getTokenHolder(tx: TenantTx, token: string): Promise<TokenHolder & { surveyId: string }> {
  const hash = hashToken(token)
  const [invitation, link] = await Promise.all([findInvitationByTokenHash(tx, hash), findLinkByTokenHash(tx, hash)])
  if (invitation) return { kind: 'invitation', invitation, surveyId: invitation.survey_id }
  if (link) return { kind: 'link', link, surveyId: link.survey_id }
  throw notFound('link')
}

type Respondent = { holder: TokenHolder; holderHash: Buffer; submissionId: string | undefined }

/** Undefined if the respondent has not completed the survey. Anonymous surveys know no more than that. */
export async function findCompletion(
  tx: TenantTx,
  survey: SurveyRow,
  { holder, holderHash, submissionId }: Respondent,
): Promise<SubmittedRow | undefined> {
  if (survey.anonymous) return (await hasUsedToken(tx, holderHash)) ? { body_hash: null } : undefined
  if (holder.kind === 'link')
    return submissionId === undefined
      ? undefined
      : await findSubmission(tx, { survey_id: survey.id, submission_id: submissionId })
  if (holder.invitation.status !== 'responded') return undefined
  return (await findSubmission(tx, { invitation_id: holder.invitation.id })) ?? { body_hash: null }
}
