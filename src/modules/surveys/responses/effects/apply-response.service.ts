import { Type } from 'typebox'
import { listEmailRecipients, listRecordLabels, lockPersons, logActivity, setScoreComponent } from '#modules/crm'
import { filterActiveUserIds } from '#modules/identity'
import { systemActor } from '#platform/access'
import type { Clock } from '#platform/clock'
import { type TenantTx, tenantIdOf } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, nullable, strict } from '#platform/schema'
import type { Sentiment } from '../../design/scores/scores.rules.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { findSurveyIncludingDeleted } from '../../design/survey-records/surveys.queries.ts'
import { effectsOf } from '../../design/survey-records/surveys.rules.ts'
import { findNewestResponse, findRespondent } from './effects.queries.ts'

export const negativeResponse = defineNotification('survey.negative_response', {
  description: 'a person you are responsible for has responded negatively to a survey',
  payload: strict({
    survey_id: Id,
    survey_name: Type.String(),
    score: nullable(Type.Integer()),
    person: nullable(Type.String()),
    path: nullable(Type.String()),
  }),
  text: ({ survey_id, survey_name, score, person, path }) => ({
    title: `Negative response to "${survey_name}"`,
    body: `${person ?? 'A respondent'} gave the score ${score ?? 'none'}.`,
    path: path ?? `/surveys/${survey_id}`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: true,
  emailIntervalSeconds: 3_600,
  coalesceKey: ({ survey_id }) => survey_id,
})

type Respondent = NonNullable<Awaited<ReturnType<typeof findRespondent>>>
type Target = { kind: 'lead' | 'contact'; id: string }

/** Logs the response on the lead or contact, changes the score of the lead, and notifies the owner about a negative response. */
export async function applyResponse(tx: TenantTx, responseId: string, clock: Clock): Promise<void> {
  const response = await findRespondent(tx, responseId)
  const survey = response && (await findSurveyIncludingDeleted(tx, response.survey_id))
  if (!survey) return
  const { leadId, target } = await findTarget(tx, response)
  const leadIds = leadId ? [leadId] : []
  const contactIds = target?.kind === 'contact' ? [target.id] : []
  await lockPersons(tx, { leadIds, contactIds })
  if (leadId) await updateScore(tx, survey, leadId, clock.now())
  if (target) await logResponse(tx, survey, response, target, clock)
  if (response.sentiment === 'negative' && effectsOf(survey.effects).alert_on_negative)
    await notifyOwner(tx, survey, response, target)
}

/** A lead that was converted since the invitation is represented by its contact; deleted records have no target. */
async function findTarget(tx: TenantTx, { lead_id, contact_id }: Respondent) {
  const [lead] = lead_id ? await listEmailRecipients(tx, 'lead', [lead_id]) : []
  const contactId = lead?.contact_id ?? contact_id
  const [contact] = contactId ? await listEmailRecipients(tx, 'contact', [contactId]) : []
  const target: Target | undefined = contact
    ? { kind: 'contact', id: contact.id }
    : lead && { kind: 'lead', id: lead.id }
  return { leadId: lead?.id, target }
}

/** Sets the points of the newest response, so that events in another order lead to the same score. */
export async function updateScore(tx: TenantTx, survey: SurveyRow, leadId: string, now: Date): Promise<void> {
  const { scoring, points } = effectsOf(survey.effects)
  const newest = await findNewestResponse(tx, survey.id, leadId)
  if (newest && !scoring) return
  const value = newest ? points[(newest.sentiment as Sentiment | null) ?? 'completed'] : null
  const label = `Survey "${survey.name}"`.slice(0, 100)
  await setScoreComponent(tx, leadId, `survey:${survey.id}`, label, value, now)
}

async function logResponse(
  tx: TenantTx,
  { id, name }: SurveyRow,
  response: Respondent,
  target: Target,
  clock: Clock,
): Promise<void> {
  await logActivity(
    tx,
    systemActor(tenantIdOf(tx)),
    target,
    {
      type: 'survey_responded',
      subject: `Responded to the survey "${name}"`.slice(0, 200),
      occurred_at: response.submitted_at.toISOString(),
      source: 'system',
      external_id: `survey:${response.id}`,
      meta: { survey_id: id, score: response.score, sentiment: response.sentiment },
    },
    { clock },
  )
}

async function notifyOwner(
  tx: TenantTx,
  survey: SurveyRow,
  { id, score, channel }: Respondent,
  target: Target | undefined,
): Promise<void> {
  const [record] = target ? await listRecordLabels(tx, target.kind, [target.id]) : []
  const candidates = [record?.owner_id, survey.owner_id].flatMap((userId) => userId ?? [])
  const active = await filterActiveUserIds(tx, candidates)
  const ownerId = candidates.find((userId) => active.has(userId))
  if (!ownerId) return
  const payload = {
    survey_id: survey.id,
    survey_name: survey.name,
    score,
    person: record?.name ?? record?.email ?? null,
    path: target ? `/${target.kind}s/${target.id}` : null,
  }
  const resource = target ? { type: target.kind, id: target.id } : { type: 'survey', id: survey.id }
  // Visitors without an account answer by a public link as often as they want.
  const isInAppOnly = channel === 'link'
  await notify(tx, ownerId, negativeResponse, payload, { dedupeKey: `survey.negative:${id}`, resource, isInAppOnly })
}
