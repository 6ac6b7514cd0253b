import { acquireAdvisoryLock, type TenantTx } from '#platform/db'
import { invalid, invalidInput } from '#platform/errors'
import type { Services } from '#platform/module'
import { getCounters } from '../../design/counters/counters.queries.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import {
  findSurveyIncludingDeleted,
  lockSurveyIncludingDeleted,
  lockSurveyShared,
} from '../../design/survey-records/surveys.queries.ts'
import { isFull } from '../../design/survey-records/surveys.rules.ts'
import { textIn } from '../../design/translations/texts.rules.ts'
import { checkAnswers } from '../answers/check-answers.rules.ts'
import { completeResponse } from './complete-response.service.ts'
import { languageOf } from './get-survey-form.service.ts'
import {
  alreadyResponded,
  assertOpen,
  assertShown,
  assertSubmissionId,
  bodyHashOf,
  holderHashOf,
  type TokenHolder,
} from './respond.rules.ts'
import type { NewResponse } from './respond.schemas.ts'
import { saveDraft } from './save-draft.service.ts'
import type { Submission, SubmissionResult } from './submission.ts'
import { lockInvitation } from './token-holders.queries.ts'
import { findCompletion, getTokenHolder } from './token-holders.service.ts'

type ResponseRequest = { token: string; response: NewResponse; acceptLanguage?: string | undefined }

export async function createSurveyResponse(
  tx: TenantTx,
  { token, response, acceptLanguage }: ResponseRequest,
  { clock }: Pick<Services, 'clock'>,
): Promise<SubmissionResult> {
  const { surveyId, ...found } = await getTokenHolder(tx, token)
  assertSubmissionId(found, response.submission_id)
  const holderHash = holderHashOf(token, response.submission_id)
  const request = { holderHash, response, acceptLanguage, now: clock.now() }
  const known = (await findSurveyIncludingDeleted(tx, surveyId))!
  const replayed = await checkState(tx, known, found, request)
  if (replayed) return replayed

  if (found.kind === 'link') await acquireAdvisoryLock(tx, `survey_submission:${holderHash.toString('hex')}`)
  // The response that fills the limit closes the survey, so these responses take turns.
  const isLimited = response.complete && known.response_limit !== null
  const survey = await (isLimited ? lockSurveyIncludingDeleted : lockSurveyShared)(tx, surveyId)
  const holder = await lockHolder(tx, survey, found)
  const replayedNow = await checkState(tx, survey, holder, request)
  if (replayedNow) return replayedNow

  const submission = {
    survey,
    holder,
    holderHash,
    response,
    now: request.now,
    language: languageOf(survey, holder, { lang: response.language, acceptLanguage }),
  }
  const questions = await listQuestions(tx, surveyId)
  if (!response.complete && !survey.partial_save)
    throw invalid('body', '/complete', 'not_allowed', '`complete` must be true: this survey does not save drafts.')
  const { problems, shown } = checkAnswers(questions, response.answers, { isComplete: response.complete })
  if (problems.length) throw invalidInput(problems)
  return response.complete
    ? await completeResponse(tx, submission, { questions, shown })
    : await saveDraft(tx, submission)
}

/** A lock would leave the id of the transaction on the invitation, which would tell who has responded to an anonymous survey. */
async function lockHolder(tx: TenantTx, survey: SurveyRow, holder: TokenHolder): Promise<TokenHolder> {
  if (survey.anonymous || holder.kind === 'link') return holder
  return { kind: 'invitation', invitation: await lockInvitation(tx, holder.invitation.id) }
}

type StateRequest = Pick<Submission, 'holderHash' | 'response' | 'now'> & { acceptLanguage?: string | undefined }

/** Returns the first result if the same response was sent before. */
async function checkState(
  tx: TenantTx,
  survey: SurveyRow,
  holder: TokenHolder,
  { holderHash, response, now, acceptLanguage }: StateRequest,
): Promise<SubmissionResult | undefined> {
  assertShown(survey)
  const language = languageOf(survey, holder, { lang: response.language, acceptLanguage })
  const submissionId = response.submission_id
  const completion = await findCompletion(tx, survey, { holder, holderHash, submissionId })
  if (completion) {
    const isSame = response.complete && completion.body_hash?.equals(bodyHashOf(response))
    if (!isSame) throw alreadyResponded()
    return { status: 'completed', thank_you: textIn(survey.thank_you, language, survey), isReplayed: true }
  }
  assertOpen(survey, holder, { now, language, isFull: isFull(survey, await getCounters(tx, survey.id)) })
  return undefined
}
