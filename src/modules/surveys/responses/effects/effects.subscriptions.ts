import { listEmailRecipients } from '#modules/crm'
import { type Clock, systemClock } from '#platform/clock'
import { subscribe } from '#platform/outbox'
import { findSurveyIncludingDeleted } from '../../design/survey-records/surveys.queries.ts'
import { responseCompleted, responseDeleted } from '../../surveys.events.ts'
import { applyResponse, updateScore } from './apply-response.service.ts'

/** After the commit, because locks of leads and contacts come before those of surveys. */
const onResponseCompleted = subscribe(
  responseCompleted,
  'surveys.apply_response',
  async (tx, { data: { response_id }, origin, occurred_at }) => {
    if (origin !== 'sample') await applyResponse(tx, response_id, clockFrom(occurred_at))
  },
)

const onResponseDeleted = subscribe(
  responseDeleted,
  'surveys.update_score_of_deleted_response',
  async (tx, { subject, data: { lead_id }, occurred_at }) => {
    const [lead] = lead_id ? await listEmailRecipients(tx, 'lead', [lead_id]) : []
    const survey = lead && (await findSurveyIncludingDeleted(tx, subject.id))
    if (survey) await updateScore(tx, survey, lead.id, clockFrom(occurred_at).now())
  },
)

/** The clock of this process may be behind the one that wrote the event. */
const clockFrom = (instant: Date): Clock => ({
  now: () => new Date(Math.max(instant.getTime(), systemClock.now().getTime())),
})

export const effectSubscriptions = [onResponseCompleted, onResponseDeleted]
