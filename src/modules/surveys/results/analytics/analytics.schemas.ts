import { type Static, Type } from 'typebox'
import { CalendarDay, Id, named, nullable, strict } from '#platform/schema'
import { questionTypes } from '../../design/question-records/questions.schemas.ts'
import { Headline } from '../../design/survey-records/survey-details.schemas.ts'
import { breakdowns } from '../../design/survey-records/survey-privacy.schemas.ts'
import { TextMap } from '../../design/translations/texts.schemas.ts'

export const trendIntervals = ['day', 'week', 'month'] as const
export type TrendInterval = (typeof trendIntervals)[number]
export const groupings = ['language', 'channel', 'lifecycle_stage', 'segment'] as const
export type Grouping = (typeof groupings)[number]

export const AnalyticsQuery = strict({
  from: Type.Optional(Type.Unsafe<string>({ ...CalendarDay, description: 'First day of submission.' })),
  to: Type.Optional(Type.Unsafe<string>({ ...CalendarDay, description: 'Last day of submission.' })),
  interval: Type.Optional(
    Type.Enum([...trendIntervals], {
      description: 'Default: `day` for up to 31 days, `week` for up to 182 days, otherwise `month`.',
    }),
  ),
  group_by: Type.Optional(
    Type.Enum([...groupings], {
      description: 'Of an anonymous survey only its `breakdown`. Groups that must not be shown are left out.',
    }),
  ),
})
export type AnalyticsQuery = Static<typeof AnalyticsQuery>

const count = Type.Integer({ minimum: 0 })
const rate = nullable(Type.Number({ minimum: 0 }))
const number = nullable(Type.Number())

const Totals = strict({
  invited: count,
  delivered: count,
  bounced: count,
  started: count,
  completed: count,
  response_rate: Type.Unsafe<number | null>({
    ...rate,
    description: 'Completed invitations / delivered ones. Responses through the public link do not count.',
  }),
  completion_rate: rate,
  median_duration_seconds: number,
})

const Choice = strict({
  key: Type.String(),
  label: nullable(TextMap),
  count,
  rate: Type.Unsafe<number | null>({ ...rate, description: 'Share of the responses that answered the question.' }),
  mean_rank: Type.Optional(nullable(Type.Number({ description: 'Of rankings; 1 is first.' }))),
})
export type ChoiceFigures = Static<typeof Choice>

const QuestionFigures = strict({
  id: Id,
  key: Type.String(),
  question_type: Type.Enum([...questionTypes]),
  title: TextMap,
  revision: Type.Integer(),
  archived: Type.Boolean(),
  answered: count,
  skipped: count,
  distribution: Type.Array(Choice),
  average: number,
  median: number,
  rows: Type.Optional(Type.Array(strict({ key: Type.String(), label: TextMap, distribution: Type.Array(Choice) }))),
  latest_texts: Type.Array(Type.String()),
})
export type QuestionFigures = Static<typeof QuestionFigures>

const TrendPoint = strict({
  period_start_on: Type.String({ format: 'date' }),
  n: nullable(count),
  nps: Type.Optional(number),
  csat_rate: Type.Optional(number),
  ces_average: Type.Optional(number),
  suppressed: Type.Boolean({
    description: 'The month has no or too few responses to be shown without revealing single answers.',
  }),
})
export type TrendPoint = Static<typeof TrendPoint>

const Group = strict({
  ...Headline.properties,
  key: Type.String(),
  label: nullable(Type.String()),
  n: count,
})
export type Group = Static<typeof Group>

export const SurveyAnalytics = named(
  'SurveyAnalytics',
  strict({
    totals: Totals,
    headline: nullable(Headline),
    questions: nullable(Type.Array(QuestionFigures)),
    trend: nullable(Type.Array(TrendPoint)),
    groups: nullable(Type.Array(Group)),
    privacy: strict({
      anonymous: Type.Boolean(),
      min_group_size: Type.Integer(),
      breakdown: Type.Enum([...breakdowns]),
      responses_by_link: nullable(
        Type.Integer({
          minimum: 0,
          description: 'How many of the responses in the results came by the public link; null if not anonymous.',
        }),
      ),
      released_through_on: nullable(Type.String({ format: 'date' })),
    }),
  }),
)
export type SurveyAnalytics = Static<typeof SurveyAnalytics>
