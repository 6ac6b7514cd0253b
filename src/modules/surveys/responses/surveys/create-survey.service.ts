import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import { type InputError, invalidInput } from '#platform/errors'
import { newId } from '#platform/ids'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { insertCounters } from '../../design/counters/counters.queries.ts'
import { insertQuestions } from '../../design/question-records/questions.queries.ts'
import type { NewQuestion } from '../../design/question-records/questions.schemas.ts'
import {
  defaultQuestions,
  listContentProblems,
  listSequenceProblems,
  nextKey,
  type SurveyContext,
  toQuestionContent,
} from '../../design/questions/prepare-questions.rules.ts'
import type { SurveyRow } from '../../design/survey-records/survey-row.ts'
import { insertSurvey } from '../../design/survey-records/surveys.queries.ts'
import { listSurveyProblems, mergeEffects, mergeEmail } from '../../design/survey-records/surveys.rules.ts'
import type { NewSurvey } from '../../design/survey-records/surveys.schemas.ts'
import { toTextMap } from '../../design/translations/texts.rules.ts'
import {
  assertLinksAllowed,
  assertSenderAllowed,
  changedTexts,
} from '../../sending/survey-emails/email-policy.service.ts'
import { surveyCreated } from '../../surveys.events.ts'
import { assertAllowedOwner, assertKnownCampaign, surveySearchText } from './survey-details.service.ts'

const textFields = ['intro', 'thank_you', 'closed_message'] as const

export async function createSurvey(
  tx: TenantTx,
  actor: UserActor,
  { questions, ...input }: NewSurvey,
  { clock, config }: Pick<Services, 'clock' | 'config'>,
): Promise<SurveyRow> {
  const ownerId = input.owner_id ?? actor.userId
  await Promise.all([assertAllowedOwner(tx, actor, ownerId), assertKnownCampaign(tx, input.campaign_id)])
  const now = clock.now()
  const fields = toNewFields(input, ownerId, now)
  const prepared = prepareQuestions(questions ?? defaultQuestions(input.survey_type), fields)
  const problems = [...listSurveyProblems(fields as SurveyRow), ...prepared.problems]
  if (fields.closes_at && fields.closes_at <= now) {
    const message = '`closes_at` must be in the future.'
    problems.push({ in: 'body', path: '/closes_at', code: 'future', message })
  }
  if (problems.length) throw invalidInput(problems)
  await assertSenderAllowed(tx, fields)
  await assertLinksAllowed(tx, actor, changedTexts(fields.email), { config })

  const survey = await insertSurvey(tx, {
    ...fields,
    id: newId(),
    ...Object.fromEntries(textFields.map((field) => [field, JSON.stringify(fields[field])])),
    email: JSON.stringify(fields.email),
    effects: JSON.stringify(fields.effects),
    search_text: surveySearchText(fields.name),
    created_by: actor.userId,
    created_at: now,
    updated_at: now,
  })
  await insertCounters(tx, survey.id)
  await insertQuestions(
    tx,
    prepared.contents.map((content, index) => ({
      ...content,
      id: newId(),
      survey_id: survey.id,
      position: index + 1,
    })),
  )
  await recordAudit(tx, 'survey.created', { id: survey.id, label: survey.name, after: survey })
  await emit(tx, surveyCreated, survey, { survey_type: survey.survey_type, owner_id: ownerId })
  return survey
}

function toNewFields(input: Omit<NewSurvey, 'questions'>, ownerId: string, now: Date) {
  const { intro, thank_you, closed_message, email, effects, closes_at, ...fields } = input
  const default_language =
    fields.default_language ?? (fields.languages?.includes('en') ? 'en' : fields.languages?.[0]) ?? 'en'
  const languages = { default_language, languages: fields.languages ?? [default_language] }
  const anonymous = fields.anonymous ?? false
  return {
    ...fields,
    ...languages,
    intro: toTextMap(intro ?? null, languages),
    thank_you: toTextMap(thank_you ?? null, languages),
    closed_message: toTextMap(closed_message ?? null, languages),
    anonymous,
    breakdown: fields.breakdown ?? 'none',
    partial_save: fields.partial_save ?? !anonymous,
    closes_at: closes_at ? new Date(closes_at) : null,
    reminder_days: fields.reminder_days ?? [3, 7],
    email: mergeEmail({}, email ?? {}, languages),
    effects: mergeEffects({}, effects ?? {}),
    owner_id: ownerId,
    created_at: now,
  }
}

function prepareQuestions(questions: readonly NewQuestion[], survey: SurveyContext) {
  const taken = new Set(questions.flatMap(({ key }) => key ?? []))
  const contents = questions.map((question) => {
    const key = question.key ?? nextKey(taken)
    taken.add(key)
    return toQuestionContent(question, key, survey)
  })
  const problems: InputError[] = contents.flatMap((content, index) =>
    listContentProblems(content, questions[index]!, survey).map((problem) => ({
      ...problem,
      path: `/questions/${index}${problem.path}`,
    })),
  )
  return { contents, problems: [...problems, ...listSequenceProblems(contents, (index) => `/questions/${index}`)] }
}
