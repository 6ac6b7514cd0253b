import { systemActor } from '#platform/access'
import { insertAuditEntries, prepareAuditEntry } from '#platform/audit'
import { actorOf, type TenantTx, tenantIdOf } from '#platform/db'
import { enqueue } from '#platform/jobs'
import { emit } from '#platform/outbox'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { updateSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import type { ClosedReason } from '../../design/survey-records/surveys.schemas.ts'
import { surveyClosed } from '../../surveys.events.ts'
import { publishResults } from '../responses/publish-results.service.ts'
import { deleteRespondentRows } from '../responses/respondents.queries.ts'
import { countUnreleased } from '../responses/unreleased-responses.queries.ts'
import { deleteRespondentsBatch, deleteRespondentsJob } from './delete-respondents-job.ts'
import { publishedInRequest, publishResultsJob } from './publish-results-job.ts'

/**
 * Closes a locked survey. Of an anonymous survey, the results are stored, and what tells who has responded is deleted; so is the author of the entry in the audit log if a respondent filled the response limit.
 */
export async function closeSurvey(
  tx: TenantTx,
  survey: SurveyRow,
  reason: ClosedReason,
  now: Date,
): Promise<SurveyRow> {
  if (survey.anonymous) {
    if ((await countUnreleased(tx, survey.id)) > publishedInRequest)
      await enqueue(tx, publishResultsJob, { survey_id: survey.id })
    else await publishResults(tx, survey, now)
  }
  const deleted = await deleteRespondentRows(tx, survey.id, deleteRespondentsBatch)
  if (deleted === deleteRespondentsBatch) await enqueue(tx, deleteRespondentsJob, { survey_id: survey.id })
  const closed = await updateSurveyRow(tx, survey.id, { status: 'closed', closed_reason: reason, closed_at: now })
  const actor = reason === 'manual' ? actorOf(tx) : systemActor(tenantIdOf(tx))
  const entry = { id: survey.id, label: survey.name, before: survey, after: closed }
  await insertAuditEntries(tx, [prepareAuditEntry(actor, 'survey.closed', entry)])
  await emit(tx, surveyClosed, closed, { reason })
  return closed
}
