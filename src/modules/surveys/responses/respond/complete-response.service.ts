import { timezoneOf } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { newId, newRandomId } from '#platform/ids'
import { emit } from '#platform/outbox'
import { countCompletion } from '../../design/counters/counters.queries.ts'
import type { Question } from '../../design/question-records/questions.schemas.ts'
import { sentimentOf } from '../../design/scores/scores.rules.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { lockSurveyIncludingDeleted } from '../../design/survey-records/surveys.queries.ts'
import { effectsOf, isFull } from '../../design/survey-records/surveys.rules.ts'
import { textIn } from '../../design/translations/texts.rules.ts'
import { responseCompleted } from '../../surveys.events.ts'
import { type StoredAnswer, toStoredAnswer } from '../answers/stored-answers.rules.ts'
import { insertAnswers, insertResponses } from '../responses/insert-responses.queries.ts'
import { releaseScores } from '../responses/release-responses.service.ts'
import { deleteDraft, insertUsedToken } from '../responses/respondents.queries.ts'
import { countResponses } from '../responses/responses.service.ts'
import { insertUnreleased } from '../responses/unreleased-responses.queries.ts'
import { closeSurvey } from '../surveys/close-survey.service.ts'
import { alreadyResponded, bodyHashOf, durationOf, surveyEnded } from './respond.rules.ts'
import type { Submission, SubmissionResult } from './submission.ts'
import { updateInvitationRow } from './token-holders.queries.ts'

type Answered = { questions: readonly Question[]; shown: readonly { question: Question; value: unknown }[] }
type Completed = {
  answers: StoredAnswer[]
  score: number | null
  channel: 'email' | 'link'
  submittedOn: string
  startedAt: Date | null
}

/** Stores a checked response with all its counts; the one that fills the response limit closes the survey. */
export async function completeResponse(
  tx: TenantTx,
  submission: Submission,
  { questions, shown }: Answered,
): Promise<SubmissionResult> {
  const { survey, holder, holderHash, language, response, now } = submission
  if (survey.anonymous && !(await insertUsedToken(tx, survey.id, holderHash))) throw alreadyResponded()
  const draft = survey.anonymous ? undefined : await deleteDraft(tx, holderHash)
  const channel = holder.kind === 'link' ? 'link' : 'email'
  const counters = await countCompletion(tx, survey.id, {
    channel,
    isStarted: draft !== undefined || (holder.kind === 'invitation' && holder.invitation.status === 'partial'),
    isReleased: !survey.anonymous,
    limit: survey.response_limit,
    now: survey.anonymous ? null : now,
  })
  if (!counters) throw surveyEnded(survey, language)

  const primary = shown.find(({ question }) => question.is_primary)?.value
  const completed: Completed = {
    answers: shown.map(({ question, value }) => toStoredAnswer(question, value)),
    score: typeof primary === 'number' ? primary : null,
    channel,
    submittedOn: dayInTimezone(now, await timezoneOf(tx)),
    startedAt: draft?.started_at ?? (response.started_at ? new Date(response.started_at) : null),
  }
  if (survey.anonymous) {
    await storeUnreleased(tx, submission, completed)
    await releaseScores(tx, survey, now)
  } else await storeResponse(tx, submission, completed, questions)
  if (isFull(survey, counters))
    await closeSurvey(tx, await lockSurveyIncludingDeleted(tx, survey.id), 'response_limit', now)
  return { status: 'completed', thank_you: textIn(survey.thank_you, language, survey), isReplayed: false }
}

const responseFieldsOf = (survey: SurveyRow, { score, channel }: Completed, language: string) => ({
  survey_id: survey.id,
  channel,
  language,
  score,
  sentiment: sentimentOf(survey.survey_type, score),
})

async function storeUnreleased(
  tx: TenantTx,
  { survey, holder, language }: Submission,
  completed: Completed,
): Promise<void> {
  const invitation = holder.kind === 'invitation' ? holder.invitation : undefined
  await insertUnreleased(tx, [
    {
      ...responseFieldsOf(survey, completed, language),
      channel: completed.channel,
      id: newRandomId(),
      is_person: invitation !== undefined && (invitation.contact_id !== null || invitation.lead_id !== null),
      is_counted: false,
      submitted_on: completed.submittedOn,
      lifecycle_stage: invitation?.lifecycle_stage ?? null,
      answers: completed.answers,
    },
  ])
}

async function storeResponse(
  tx: TenantTx,
  { survey, holder, language, response, now }: Submission,
  completed: Completed,
  questions: readonly Question[],
): Promise<void> {
  const { answers, submittedOn, startedAt } = completed
  const invitation = holder.kind === 'invitation' ? holder.invitation : undefined
  const { contact_id = null, lead_id = null, account_id = null } = invitation ?? {}
  const duration = durationOf(startedAt, now)
  const row = {
    ...responseFieldsOf(survey, completed, language),
    id: newId(),
    invitation_id: invitation?.id ?? null,
    contact_id,
    lead_id,
    account_id,
    submission_id: response.submission_id ?? null,
    body_hash: bodyHashOf(response).toString('hex'),
    started_at: duration === null ? now : startedAt!,
    submitted_at: now,
    submitted_on: submittedOn,
    duration_seconds: duration,
    lifecycle_stage: invitation?.lifecycle_stage ?? null,
    segment_ids: invitation?.segment_ids ?? [],
  }
  await insertResponses(tx, [row])
  await insertAnswers(
    tx,
    answers.map((answer) => ({ ...answer, response_id: row.id, survey_id: survey.id })),
  )
  await countResponses(tx, survey.id, [{ ...row, answers }], { questions })
  if (invitation) await updateInvitationRow(tx, invitation.id, { status: 'responded', responded_at: now })

  const { survey_type, effects } = survey
  const { score, sentiment, channel } = row
  const { scoring, points } = effectsOf(effects)
  const after = { response_id: row.id, channel, score }
  await recordAudit(tx, 'survey.response_completed', { id: survey.id, label: survey.name, after })
  await emit(tx, responseCompleted, survey, {
    survey_type,
    response_id: row.id,
    contact_id,
    lead_id,
    account_id,
    score,
    sentiment,
    points: scoring ? points[sentiment ?? 'completed'] : null,
  })
}
