import { type Static, Type } from 'typebox'
import { clearable, Email, enumList, Id, Instant, Line, listQuery, Search, sortOrder, strict } from '#platform/schema'
import { maxQuestions, NewQuestion } from '../question-records/questions.schemas.ts'
import { clearableText, Language } from '../translations/texts.schemas.ts'
import { breakdowns } from './survey-privacy.schemas.ts'

export const surveyTypes = ['nps', 'csat', 'ces', 'custom'] as const
export type SurveyType = (typeof surveyTypes)[number]
export const surveyStatuses = ['draft', 'active', 'paused', 'closed'] as const
export type SurveyStatus = (typeof surveyStatuses)[number]
export const closedReasons = ['manual', 'closes_at', 'response_limit'] as const
export type ClosedReason = (typeof closedReasons)[number]

const Points = Type.Optional(Type.Integer({ minimum: -50, maximum: 50 }))
const EffectChanges = strict({
  scoring: Type.Optional(Type.Boolean({ description: 'Adds points to the score of the lead.' })),
  points: Type.Optional(strict({ positive: Points, neutral: Points, negative: Points, completed: Points })),
  alert_on_negative: Type.Optional(Type.Boolean({ description: 'Notifies the owner about negative responses.' })),
})
export type EffectChanges = Static<typeof EffectChanges>

const EmailChanges = strict({
  subject: clearableText(200),
  body: clearableText(5_000),
  from_name: clearable(Line(80)),
  reply_to: clearable(Email),
})
export type EmailChanges = Static<typeof EmailChanges>

const writable = {
  description: clearable(Type.String({ maxLength: 2_000 })),
  default_language: Type.Optional(Language),
  languages: Type.Optional(Type.Array(Language, { minItems: 1, maxItems: 20, uniqueItems: true })),
  intro: clearableText(2_000),
  thank_you: clearableText(2_000),
  closed_message: clearableText(2_000),
  anonymous: Type.Optional(
    Type.Boolean({ description: 'Cannot change after the first invitation, link or response.' }),
  ),
  partial_save: Type.Optional(
    Type.Boolean({ description: 'Respondents can save answers and continue later. Not for anonymous surveys.' }),
  ),
  closes_at: clearable(Instant),
  response_limit: clearable(Type.Integer({ minimum: 1, maximum: 1_000_000 })),
  invitation_ttl_days: Type.Optional(Type.Integer({ minimum: 1, maximum: 365 })),
  reminder_days: Type.Optional(
    Type.Array(Type.Integer({ minimum: 1, maximum: 60 }), { maxItems: 3, description: 'In ascending order.' }),
  ),
  min_group_size: Type.Optional(
    Type.Integer({
      minimum: 5,
      maximum: 50,
      description:
        'Smallest group of which an anonymous survey shows results; it needs twice as many contacts or leads as recipients. Other addresses do ' +
        'not count, responses by public link are a separate group. Older surveys can have 3 or 4. Of an anonymous survey it cannot change ' +
        'after the first invitation, link or response.',
    }),
  ),
  breakdown: Type.Optional(
    Type.Enum([...breakdowns], {
      description:
        'Groups by which an anonymous survey shows scores after its end. With groups there is no score before the end. Cannot change after ' +
        'the first invitation, link or response.',
    }),
  ),
  email: Type.Optional(EmailChanges),
  effects: Type.Optional(EffectChanges),
  owner_id: Type.Optional(Id),
  campaign_id: clearable(Id),
}

export const NewSurvey = strict({
  name: Line(200),
  survey_type: Type.Enum([...surveyTypes]),
  ...writable,
  questions: Type.Optional(
    Type.Array(NewQuestion, {
      maxItems: maxQuestions,
      description: 'In order. Without it, `nps`, `csat` and `ces` get a score and a reason.',
    }),
  ),
})
export type NewSurvey = Static<typeof NewSurvey>

export const SurveyChanges = strict({
  name: Type.Optional(Line(200)),
  ...writable,
  status: Type.Optional(Type.Enum([...surveyStatuses])),
})
export type SurveyChanges = Static<typeof SurveyChanges>

export const SurveyQuery = listQuery({
  status: Type.Optional(enumList([...surveyStatuses])),
  survey_type: Type.Optional(enumList([...surveyTypes])),
  owner_id: Type.Optional(Id),
  search: Type.Optional(Search),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type SurveyQuery = Static<typeof SurveyQuery>

export const SurveyParams = strict({ survey_id: Id })
