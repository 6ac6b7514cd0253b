import { type Static, Type } from 'typebox'
import { Id, Line, named, strict, Timestamp } from '#platform/schema'

export const stageKinds = ['open', 'won', 'lost'] as const
export type StageKind = (typeof stageKinds)[number]
export const forecastCategories = ['pipeline', 'best_case', 'commit', 'closed', 'omitted'] as const
/** Categories that can be set on open deals; closed deals get theirs from the stage. */
export const openForecastCategories = ['pipeline', 'best_case', 'commit', 'omitted'] as const

const StageKey = Type.String({ pattern: '^[a-z0-9_]{1,40}$', minLength: 1, maxLength: 40, examples: ['proposal'] })
export const ProbabilityRate = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'Probability of winning the deal. At most 4 decimals.',
})
const Position = Type.Integer({ minimum: 0, maximum: 1_000 })

const Stage = strict({
  key: Type.String(),
  label: Type.String(),
  position: Type.Integer(),
  kind: Type.Enum([...stageKinds]),
  probability_rate: ProbabilityRate,
  forecast_category: Type.Enum([...forecastCategories]),
  is_active: Type.Boolean(),
})

export const Pipeline = named(
  'Pipeline',
  strict({
    id: Id,
    name: Type.String(),
    is_default: Type.Boolean(),
    is_active: Type.Boolean(),
    position: Type.Integer(),
    stages: Type.Array(Stage),
    created_at: Timestamp,
    updated_at: Timestamp,
    version: Type.Integer(),
  }),
)
export type Pipeline = Static<typeof Pipeline>

const StageInput = strict({
  key: StageKey,
  label: Line(100),
  kind: Type.Enum([...stageKinds], { default: 'open' }),
  probability_rate: Type.Optional(ProbabilityRate),
  forecast_category: Type.Optional(Type.Enum([...forecastCategories])),
  is_active: Type.Boolean({ default: true, description: 'Deals cannot be moved to an inactive stage.' }),
})
export type StageInput = Static<typeof StageInput>

const pipelineInput = {
  name: Line(100),
  is_default: Type.Boolean({ default: false }),
  is_active: Type.Boolean({ default: true }),
  position: Type.Optional(Position),
  stages: Type.Array(StageInput, {
    minItems: 3,
    maxItems: 30,
    description: 'Stages in order. Exactly one must be `won` and one `lost`.',
    examples: [
      [
        { key: 'trial', label: 'Trial', probability_rate: 0.4 },
        { key: 'won', label: 'Won', kind: 'won' },
        { key: 'lost', label: 'Lost', kind: 'lost' },
      ],
    ],
  }),
}
export const NewPipeline = strict(pipelineInput)
export type NewPipeline = Static<typeof NewPipeline>

export const PipelineReplacement = strict({
  ...pipelineInput,
  move_to: Type.Optional(
    Type.Record(StageKey, StageKey, {
      maxProperties: 30,
      description: 'Target stage for the deals of each removed stage: `{ "old": "new" }`.',
    }),
  ),
})
export type PipelineReplacement = Static<typeof PipelineReplacement>

export const PipelineParams = strict({ pipeline_id: Id })
