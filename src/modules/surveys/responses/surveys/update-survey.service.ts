import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { changedFields } from '#platform/diff'
import { assertVersion, invalid, invalidInput } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { type CounterRow, getCounters } from '../../design/counters/counters.queries.ts'
import { hasLink } from '../../design/links/links.queries.ts'
import { listQuestions, updateQuestionTexts } from '../../design/question-records/questions.queries.ts'
import { stripLanguages } from '../../design/questions/prepare-questions.rules.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { lockSurvey, updateSurveyRow } from '../../design/survey-records/surveys.queries.ts'
import {
  assertChangeable,
  assertOwnsOrManages,
  completedCount,
  emailOf,
  hasResponses,
  listActivationProblems,
  listSurveyProblems,
  mergeEffects,
  mergeEmail,
} from '../../design/survey-records/surveys.rules.ts'
import type { SurveyChanges } from '../../design/survey-records/surveys.schemas.ts'
import { toTextMap, withoutLanguages } from '../../design/translations/texts.rules.ts'
import {
  assertLinksAllowed,
  assertSenderAllowed,
  changedTexts,
} from '../../sending/survey-emails/email-policy.service.ts'
import { surveyUpdated } from '../../surveys.events.ts'
import { changeSurveyStatus } from './change-survey-status.service.ts'
import { assertAllowedOwner, assertKnownCampaign, surveySearchText } from './survey-details.service.ts'

type UpdateInput = { changes: SurveyChanges; expectedVersion?: number }

export async function updateSurvey(
  tx: TenantTx,
  actor: UserActor,
  surveyId: string,
  { changes: { status, ...changes }, expectedVersion }: UpdateInput,
  services: Pick<Services, 'clock' | 'config'>,
): Promise<SurveyRow> {
  const survey = await lockSurvey(tx, surveyId)
  assertOwnsOrManages(actor, survey)
  assertVersion(survey, expectedVersion)

  const isReopened = status === 'active' && survey.status === 'closed' && !survey.anonymous
  const fields = changedFields(survey, toFields(survey, changes))
  if (fields.email) {
    const email = emailOf(survey.email)
    await assertSenderAllowed(tx, { ...survey, ...fields, email: fields.email }, email)
    await assertLinksAllowed(tx, actor, changedTexts(fields.email, email), services)
  }
  const updated = Object.keys(fields).length
    ? await updateFields(tx, actor, survey, fields, { isReopened, now: services.clock.now() })
    : survey
  return status === undefined || status === survey.status
    ? updated
    : await changeSurveyStatus(tx, updated, status, services.clock.now())
}

const textFields = ['intro', 'thank_you', 'closed_message'] as const
const jsonFields = [...textFields, 'email', 'effects'] as const

/** Combines the changes with the current values, in the form of the columns. */
function toFields(survey: SurveyRow, changes: Omit<SurveyChanges, 'status'>): Partial<SurveyRow> {
  const { intro, thank_you, closed_message, email, effects, closes_at, ...fields } = changes
  const languages = {
    default_language: fields.default_language ?? survey.default_language,
    languages: fields.languages ?? survey.languages,
  }
  const removed = survey.languages.filter((language) => !languages.languages.includes(language))
  const given = { intro, thank_you, closed_message }
  const texts = textFields.map((field) => {
    const kept = withoutLanguages(survey[field], removed)
    return [field, given[field] === undefined ? kept : toTextMap(given[field], languages, kept)]
  })
  const keptEmail = {
    ...survey.email,
    subject: withoutLanguages(survey.email.subject, removed),
    body: withoutLanguages(survey.email.body, removed),
  }
  return {
    ...fields,
    ...Object.fromEntries(texts),
    email: mergeEmail(keptEmail, email ?? {}, languages),
    effects: mergeEffects(survey.effects, effects ?? {}),
    ...(closes_at !== undefined && { closes_at: closes_at === null ? null : new Date(closes_at) }),
    ...(fields.anonymous && fields.partial_save === undefined && { partial_save: false }),
    ...(fields.anonymous === false && fields.breakdown === undefined && { breakdown: 'none' as const }),
  }
}

async function updateFields(
  tx: TenantTx,
  actor: UserActor,
  survey: SurveyRow,
  fields: Partial<SurveyRow>,
  { isReopened, now }: { isReopened: boolean; now: Date },
): Promise<SurveyRow> {
  const [counters, isLinked] = await Promise.all([getCounters(tx, survey.id), hasLink(tx, survey.id)])
  const isAnswered = hasResponses(counters)
  const isClosed = survey.status === 'closed' && !isReopened
  assertChangeable(survey, fields, { isClosed, hasResponses: isAnswered, isShared: isLinked || counters.invited > 0 })
  if (fields.owner_id !== undefined) await assertAllowedOwner(tx, actor, fields.owner_id)
  await assertKnownCampaign(tx, fields.campaign_id)
  const changed = { ...survey, ...fields }
  assertValidFields(changed, fields, { counters, now })
  await replaceTexts(tx, survey, changed, now)

  const json = jsonFields.filter((field) => fields[field] !== undefined)
  const updated = await updateSurveyRow(tx, survey.id, {
    ...fields,
    ...Object.fromEntries(json.map((field) => [field, JSON.stringify(fields[field])])),
    ...(fields.name !== undefined && { search_text: surveySearchText(fields.name) }),
  } as object)
  await recordAudit(tx, 'survey.updated', { id: survey.id, label: updated.name, before: survey, after: updated })
  await emit(tx, surveyUpdated, updated, { changed: Object.keys(fields) })
  return updated
}

function assertValidFields(
  survey: SurveyRow,
  fields: Partial<SurveyRow>,
  { counters, now }: { counters: CounterRow; now: Date },
): void {
  const problems = listSurveyProblems(survey)
  if (problems.length) throw invalidInput(problems)
  if (fields.closes_at && fields.closes_at <= now)
    throw invalid('body', '/closes_at', 'future', '`closes_at` must be in the future.')
  if (fields.response_limit && fields.response_limit <= completedCount(counters))
    throw invalid('body', '/response_limit', 'minimum', '`response_limit` must exceed the number of responses.')
}

/** Deletes the texts of removed languages, and checks that an active survey keeps all texts of its default language. */
async function replaceTexts(tx: TenantTx, survey: SurveyRow, changed: SurveyRow, now: Date): Promise<void> {
  const removed = survey.languages.filter((language) => !changed.languages.includes(language))
  const isRenamed = survey.default_language !== changed.default_language
  if (!removed.length && !isRenamed && survey.status !== 'active') return
  const questions = (await listQuestions(tx, survey.id)).map((question) => stripLanguages(question, removed))
  if (survey.status === 'active') {
    const live = questions.filter(({ archived_at }) => archived_at === null)
    const problems = listActivationProblems({ ...changed, closes_at: null }, live, now)
    if (problems.length) throw invalidInput(problems)
  }
  if (removed.length) await updateQuestionTexts(tx, questions)
}
