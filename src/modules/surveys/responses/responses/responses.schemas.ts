import { type Static, Type } from 'typebox'
import { CalendarDay, enumList, Id, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'
import { questionTypes } from '../../design/question-records/questions.schemas.ts'

const sentiments = ['positive', 'neutral', 'negative'] as const

export const ResponseQuery = listQuery({
  sort: sortOrder(['-submitted_at', 'submitted_at']),
  sentiment: Type.Optional(enumList([...sentiments])),
  channel: Type.Optional(Type.Enum(['email', 'link'])),
  from: Type.Optional(CalendarDay),
  to: Type.Optional(CalendarDay),
  contact_id: Type.Optional(Id),
  lead_id: Type.Optional(Id),
})
export type ResponseQuery = Static<typeof ResponseQuery>

export const ResponseParams = strict({ survey_id: Id, response_id: Id })

const id = nullable(Id)
const Answer = strict({
  question_id: Id,
  key: Type.String(),
  question_type: Type.Enum([...questionTypes]),
  question_revision: Type.Integer(),
  value: Type.Unknown({ description: 'Null if the question was shown but not answered.' }),
})

export const SurveyResponse = named(
  'SurveyResponse',
  strict({
    id: Id,
    survey_id: Id,
    contact_id: id,
    lead_id: id,
    account_id: id,
    channel: Type.Enum(['email', 'link']),
    language: Type.String(),
    score: nullable(Type.Integer()),
    sentiment: nullable(Type.Enum([...sentiments])),
    started_at: Timestamp,
    submitted_at: Timestamp,
    duration_seconds: nullable(Type.Integer()),
    answers: Type.Array(Answer),
  }),
)
export type SurveyResponse = Static<typeof SurveyResponse>
