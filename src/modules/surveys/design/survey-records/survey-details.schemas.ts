import { type Static, Type } from 'typebox'
import { Id, named, nullable, Reference, strict, Timestamp } from '#platform/schema'
import { Question } from '../question-records/questions.schemas.ts'
import { TextMap } from '../translations/texts.schemas.ts'
import { breakdowns, SurveyVisibility } from './survey-privacy.schemas.ts'
import { closedReasons, surveyStatuses, surveyTypes } from './surveys.schemas.ts'

const text = nullable(Type.String())
const at = nullable(Timestamp)
const count = Type.Integer({ minimum: 0 })

export const SurveyEmail = strict({ subject: TextMap, body: TextMap, from_name: text, reply_to: text })
export type SurveyEmail = Static<typeof SurveyEmail>
const ShownEmail = strict({
  ...SurveyEmail.properties,
  unapproved: Type.Array(Type.Enum(['from_name', 'reply_to']), {
    description:
      'Fields that emails do not use, because neither the workspace nor the owner has the value and it is not allowed in the settings. The values of the workspace are used instead.',
  }),
})

const points = Type.Integer({ minimum: -50, maximum: 50 })
export const SurveyEffects = strict({
  scoring: Type.Boolean(),
  points: strict({ positive: points, neutral: points, negative: points, completed: points }),
  alert_on_negative: Type.Boolean(),
})
export type SurveyEffects = Static<typeof SurveyEffects>

/** The fields depend on the type of the survey: `nps`, `csat_rate` or `ces_average` with their counts. */
export const Headline = strict({
  nps: Type.Optional(Type.Number()),
  promoters: Type.Optional(count),
  passives: Type.Optional(count),
  detractors: Type.Optional(count),
  margin_of_error: Type.Optional(nullable(Type.Number())),
  csat_rate: Type.Optional(Type.Number()),
  average: Type.Optional(Type.Number()),
  ces_average: Type.Optional(Type.Number()),
  easy_rate: Type.Optional(Type.Number()),
  n: count,
})

export const PublicLink = strict({
  enabled: Type.Boolean(),
  url: nullable(Type.String({ description: 'Only for the owner, managers and admins with `surveys.write`.' })),
})
export type PublicLink = Static<typeof PublicLink>

const surveyFields = {
  id: Id,
  name: Type.String(),
  description: text,
  survey_type: Type.Enum([...surveyTypes]),
  status: Type.Enum([...surveyStatuses]),
  closed_reason: nullable(Type.Enum([...closedReasons])),
  default_language: Type.String(),
  languages: Type.Array(Type.String()),
  intro: TextMap,
  thank_you: TextMap,
  closed_message: TextMap,
  anonymous: Type.Boolean(),
  partial_save: Type.Boolean(),
  closes_at: at,
  response_limit: nullable(Type.Integer()),
  invitation_ttl_days: Type.Integer(),
  reminder_days: Type.Array(Type.Integer()),
  min_group_size: Type.Integer(),
  breakdown: Type.Enum([...breakdowns]),
  email: ShownEmail,
  effects: SurveyEffects,
  owner_id: Id,
  owner: Reference,
  campaign_id: nullable(Id),
  campaign: nullable(Reference),
  invited_count: count,
  completed_count: count,
  first_response_at: at,
  headline: nullable(Headline),
  public_link: PublicLink,
  visibility: nullable(SurveyVisibility),
  activated_at: at,
  closed_at: at,
  created_by: nullable(Id),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Type.Integer(),
}

export const SurveySummary = named('SurveySummary', strict(surveyFields))
export type SurveySummary = Static<typeof SurveySummary>

export const Survey = named(
  'Survey',
  strict({ ...surveyFields, questions: Type.Array(Question), archived_questions: Type.Array(Question) }),
)
export type Survey = Static<typeof Survey>
