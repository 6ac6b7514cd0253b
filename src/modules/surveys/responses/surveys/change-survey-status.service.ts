import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { conflict, invalidInput } from '#platform/errors'
import { emit } from '#platform/outbox'
import { getCounters } from '../../design/counters/counters.queries.ts'
import { listQuestions } from '../../design/question-records/questions.queries.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { updateSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { assertTransition, isFull, listActivationProblems } from '../../design/survey-records/surveys.rules.ts'
import type { SurveyStatus } from '../../design/survey-records/surveys.schemas.ts'
import { surveyActivated, surveyPaused, surveyReopened } from '../../surveys.events.ts'
import { closeSurvey } from './close-survey.service.ts'

/** The caller holds the lock of the survey. */
export async function changeSurveyStatus(
  tx: TenantTx,
  survey: SurveyRow,
  to: SurveyStatus,
  now: Date,
): Promise<SurveyRow> {
  assertTransition(survey, to)
  if (to === 'closed') return await closeSurvey(tx, survey, 'manual', now)
  if (to === 'active') await assertCanActivate(tx, survey, now)

  const changed = await updateSurveyRow(tx, survey.id, {
    status: to,
    ...(to === 'active' && { activated_at: survey.activated_at ?? now, closed_at: null, closed_reason: null }),
  })
  const event = eventOf(survey, to)
  const entry = { id: survey.id, label: survey.name, before: survey, after: changed }
  await recordAudit(tx, event.type as `survey.${string}`, entry)
  await emit(tx, event, changed, {})
  return changed
}

async function assertCanActivate(tx: TenantTx, survey: SurveyRow, now: Date): Promise<void> {
  const [questions, counters] = await Promise.all([listQuestions(tx, survey.id), getCounters(tx, survey.id)])
  const live = questions.filter(({ archived_at }) => archived_at === null)
  const problems = listActivationProblems(survey, live, now)
  if (problems.length) throw invalidInput(problems)
  if (isFull(survey, counters))
    throw conflict('conflict', 'The survey has reached its response limit. Raise `response_limit` first.')
}

function eventOf({ status }: SurveyRow, to: SurveyStatus) {
  if (to === 'paused') return surveyPaused
  return status === 'closed' ? surveyReopened : surveyActivated
}
