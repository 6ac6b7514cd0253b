import { type Static, Type } from 'typebox'
import { Id, Instant, named, nullable, strict, Timestamp } from '#platform/schema'
import { ConditionDocument } from '../../design/question-records/condition.schemas.ts'
import { questionTypes } from '../../design/question-records/questions.schemas.ts'
import { surveyTypes } from '../../design/survey-records/surveys.schemas.ts'

export const RespondParams = strict({
  token: Type.String({ minLength: 1, maxLength: 200, description: 'Token of an invitation or of a public link.' }),
})

/** Values that are not usable are ignored, because email programs add and change parameters. */
export const FormQuery = Type.Object({
  lang: Type.Optional(Type.String({ maxLength: 100, description: 'Language of the texts.' })),
  score: Type.Optional(Type.String({ maxLength: 100, description: 'Score to preselect; it is not saved.' })),
  submission_id: Type.Optional(
    Type.String({ maxLength: 100, description: 'Public link: id of a submission, whose draft is returned.' }),
  ),
})

const text = nullable(Type.String())
const FormOption = strict({ key: Type.String(), label: Type.String(), exclusive: Type.Boolean() })
const FormPart = strict({ key: Type.String(), label: Type.String() })
const bound = Type.Optional(Type.Unsafe<number | string | null>({ type: ['number', 'string', 'null'] }))

const FormRules = strict({
  labels: Type.Optional(strict({ low: text, high: text })),
  scale: Type.Optional(Type.Integer()),
  shape: Type.Optional(Type.String()),
  allow_other: Type.Optional(Type.Boolean()),
  shuffle: Type.Optional(Type.Boolean()),
  display: Type.Optional(Type.String()),
  min_selected: Type.Optional(Type.Integer()),
  max_selected: Type.Optional(nullable(Type.Integer())),
  rank_all: Type.Optional(Type.Boolean()),
  rows: Type.Optional(Type.Array(FormPart)),
  columns: Type.Optional(Type.Array(FormPart)),
  max_length: Type.Optional(Type.Integer()),
  format: Type.Optional(Type.String()),
  min: bound,
  max: bound,
  decimals: Type.Optional(Type.Integer()),
})

const FormQuestion = strict({
  key: Type.String(),
  question_type: Type.Enum([...questionTypes]),
  title: Type.String(),
  help: text,
  required: Type.Boolean(),
  options: Type.Array(FormOption),
  rules: FormRules,
  show_if: nullable(ConditionDocument),
  end_if: nullable(ConditionDocument),
})
export type FormQuestion = Static<typeof FormQuestion>

export const SurveyForm = named(
  'SurveyForm',
  strict({
    state: Type.Enum(['open', 'completed'], { description: '`completed` has no questions and no answers.' }),
    survey: strict({
      name: Type.String(),
      intro: text,
      thank_you: text,
      survey_type: Type.Enum([...surveyTypes]),
      anonymous: Type.Boolean(),
      partial_save: Type.Boolean(),
      language: Type.String(),
      languages: Type.Array(Type.String()),
      privacy_note: Type.String(),
      recipients: nullable(
        Type.Integer({
          minimum: 0,
          description: 'Persons who were invited to an anonymous survey. Null for other surveys and public links.',
        }),
      ),
    }),
    questions: Type.Array(FormQuestion),
    answers: Type.Record(Type.String(), Type.Unknown(), { description: 'Saved draft.' }),
    prefill: nullable(strict({ score: Type.Integer() })),
    expires_at: nullable(Timestamp),
  }),
)
export type SurveyForm = Static<typeof SurveyForm>

export const NewResponse = named(
  'NewSurveyResponse',
  strict({
    answers: Type.Record(Type.String({ maxLength: 40 }), Type.Unknown(), {
      maxProperties: 100,
      description: 'Answers by the key of their question.',
      examples: [{ score: 9, reason: 'Fast support' }],
    }),
    complete: Type.Boolean({ default: true, description: 'False saves a draft.' }),
    language: Type.Optional(Type.String({ minLength: 1, maxLength: 35 })),
    submission_id: Type.Optional(Id),
    started_at: Type.Optional(Instant),
  }),
)
export type NewResponse = Static<typeof NewResponse>

export const SubmittedResponse = strict({
  status: Type.Enum(['partial', 'completed']),
  saved_at: Type.Optional(Timestamp),
  thank_you: Type.Optional(text),
})
