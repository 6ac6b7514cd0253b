import { createHash } from 'node:crypto'
import { canonicalJson } from '#platform/canonical-json'
import { type AppError, conflict, gone, invalid, notFound } from '#platform/errors'
import { hashToken } from '#platform/secrets'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { hasEnded } from '../../design/survey-records/surveys.rules.ts'
import { textIn } from '../../design/translations/texts.rules.ts'
import type { NewResponse } from './respond.schemas.ts'
import type { InvitationRow, OpenLink } from './token-holders.queries.ts'

export type TokenHolder = { kind: 'invitation'; invitation: InvitationRow } | { kind: 'link'; link: OpenLink }

/** Identifies one respondent: the token of an invitation, or one submission through a public link. */
export const holderHashOf = (token: string, submissionId?: string): Buffer =>
  hashToken(submissionId === undefined ? token : `${token}:${submissionId}`)

export const bodyHashOf = ({ answers, language }: Pick<NewResponse, 'answers' | 'language'>): Buffer =>
  createHash('sha256').update(canonicalJson({ answers, language })).digest()

export function assertSubmissionId({ kind }: TokenHolder, submissionId: string | undefined): void {
  if (kind === 'link' && submissionId === undefined)
    throw invalid('body', '/submission_id', 'required', '`submission_id` is required with a public link.')
  if (kind === 'invitation' && submissionId !== undefined)
    throw invalid('body', '/submission_id', 'not_allowed', '`submission_id` is only allowed with a public link.')
}

const linkExpired = (reason: string, message: string) => gone('link_expired', message, { reason })

export const surveyEnded = (survey: SurveyRow, language: string): AppError =>
  linkExpired('closed', textIn(survey.closed_message, language, survey) ?? 'This survey is closed.')

/** Rejects tokens of surveys that are not there for respondents. */
export function assertShown({ status, deleted_at }: SurveyRow): void {
  if (deleted_at !== null) throw linkExpired('deleted', 'This survey no longer exists.')
  if (status === 'draft') throw notFound('survey')
}

type OpenState = { now: Date; language: string; isFull: boolean }

/** Rejects respondents who have not responded yet and cannot any more. */
export function assertOpen(survey: SurveyRow, holder: TokenHolder, { now, language, isFull }: OpenState): void {
  const isRevoked = holder.kind === 'link' ? holder.link.revoked_at !== null : holder.invitation.status === 'revoked'
  if (isRevoked) throw linkExpired('revoked', 'This link was revoked.')
  if (holder.kind === 'invitation' && holder.invitation.expires_at <= now)
    throw linkExpired('expired', 'This link has expired.')
  if (hasEnded(survey, now) || isFull) throw surveyEnded(survey, language)
  if (survey.status === 'paused') throw conflict('survey_paused', 'This survey is paused. Try again later.')
}

export const alreadyResponded = () =>
  conflict('already_responded', 'This survey was already completed with this link, with other answers.')

/** The score that a link in an email preselects, if it is one of the scale. */
export function parseScore(text: string | undefined, range: { min: number; max: number } | undefined): number | null {
  if (!range || text === undefined || !/^\d{1,2}$/.test(text)) return null
  const score = Number(text)
  return score >= range.min && score <= range.max ? score : null
}

const maxDurationSeconds = 30 * 86_400

/** Seconds between the first answer and the end; null if the start is unknown or not plausible. */
export function durationOf(startedAt: Date | null, now: Date): number | null {
  const seconds = startedAt && Math.round((now.getTime() - startedAt.getTime()) / 1_000)
  return seconds !== null && seconds >= 0 && seconds <= maxDurationSeconds ? seconds : null
}

export const privacyNoteOf = ({ anonymous }: SurveyRow, { kind }: TokenHolder): string => {
  if (anonymous) return 'Your answers are anonymous. They are not stored with your name or email address.'
  return kind === 'invitation'
    ? 'Your answers are stored with your name and email address.'
    : 'Your answers are stored without your name, unless you enter it.'
}
