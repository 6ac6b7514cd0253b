import { type Static, Type } from 'typebox'
import { Id, Line, named, strict, Timestamp } from '#platform/schema'

export const kinds = ['open', 'won', 'lost'] as const
export type Kind = (typeof kinds)[number]
export const categories = ['pipeline', 'best_case', 'commit', 'closed', 'omitted'] as const
/** Of a deal that is open; the others follow from how it ended. */
export const openCategories = ['pipeline', 'best_case', 'commit', 'omitted'] as const

const StageKey = Type.String({ pattern: '^[a-z0-9_]{1,40}$', minLength: 1, maxLength: 40, examples: ['proposal'] })
export const ProbabilityRate = Type.Number({
  minimum: 0,
  maximum: 1,
  description: 'How likely the deal is won, in steps of 0.0001.',
})
const Position = Type.Integer({ minimum: 0, maximum: 1_000 })

const Stage = strict({
  key: Type.String(),
  label: Type.String(),
  position: Type.Integer(),
  kind: Type.Enum([...kinds]),
  probability_rate: ProbabilityRate,
  forecast_category: Type.Enum([...categories]),
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

const WrittenStage = strict({
  key: StageKey,
  label: Line(100),
  kind: Type.Enum([...kinds], { default: 'open' }),
  probability_rate: Type.Optional(ProbabilityRate),
  forecast_category: Type.Optional(Type.Enum([...categories])),
  is_active: Type.Boolean({ default: true, description: 'No deal enters a stage that is not active.' }),
})
export type WrittenStage = Static<typeof WrittenStage>

const written = {
  name: Line(100),
  is_default: Type.Boolean({ default: false }),
  is_active: Type.Boolean({ default: true }),
  position: Type.Optional(Position),
  stages: Type.Array(WrittenStage, {
    minItems: 3,
    maxItems: 30,
    description: 'In the order deals pass through them. Exactly one is won and one is lost.',
    examples: [
      [
        { key: 'trial', label: 'Trial', kind: 'open', probability_rate: 0.4, is_active: true },
        { key: 'won', label: 'Won', kind: 'won', is_active: true },
        { key: 'lost', label: 'Lost', kind: 'lost', is_active: true },
      ],
    ],
  }),
}
export const NewPipeline = strict(written)
export type NewPipeline = Static<typeof NewPipeline>

export const WrittenPipeline = strict({
  ...written,
  move_to: Type.Optional(
    Type.Record(StageKey, StageKey, {
      maxProperties: 30,
      description: 'Where the deals of a stage go that is no longer there: `{ "old": "new" }`.',
    }),
  ),
})
export type WrittenPipeline = Static<typeof WrittenPipeline>

export const PipelineParams = strict({ pipeline_id: Id })
