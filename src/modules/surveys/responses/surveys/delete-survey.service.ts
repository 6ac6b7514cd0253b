import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { assertVersion, conflict } from '#platform/errors'
import { emit } from '#platform/outbox'
import { getCounters } from '../../design/counters/counters.queries.ts'
import { deleteSurveyRow, lockSurvey, updateSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import { assertOwnsOrManages, hasResponses } from '../../design/survey-records/surveys.rules.ts'
import { surveyDeleted } from '../../surveys.events.ts'

type DeleteOptions = { expectedVersion?: number; now: Date }

export async function deleteSurvey(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  { expectedVersion, now }: DeleteOptions,
): Promise<void> {
  const survey = await lockSurvey(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  assertVersion(survey, expectedVersion)
  if (survey.status === 'active' || survey.status === 'paused')
    throw conflict('survey_active', 'An active or paused survey cannot be deleted. Close it first.')

  const counters = await getCounters(tx, surveyId)
  if (counters.invited > 0 || hasResponses(counters)) await updateSurveyRow(tx, surveyId, { deleted_at: now })
  else await deleteSurveyRow(tx, surveyId)
  await recordAudit(tx, 'survey.deleted', { id: surveyId, label: survey.name, before: survey })
  await emit(tx, surveyDeleted, survey, {})
}
