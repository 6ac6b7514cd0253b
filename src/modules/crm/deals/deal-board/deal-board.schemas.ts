import { type Static, Type } from 'typebox'
import { OwnerFilter } from '#modules/identity'
import { Money } from '#platform/money'
import { Id, named, nullable, Reference, Search, strict, Timestamp } from '#platform/schema'
import { OpportunitySummary, TeamFilter } from '../opportunities/opportunities.schemas.ts'
import { ProbabilityRate, stageKinds } from '../pipelines/pipelines.schemas.ts'

const OpportunityBoardStage = named(
  'OpportunityBoardStage',
  strict({
    key: Type.String(),
    label: Type.String(),
    kind: Type.Enum([...stageKinds]),
    probability_rate: ProbabilityRate,
    count: Type.Integer({ minimum: 0 }),
    amount: Money,
    weighted: Money,
    items: Type.Array(OpportunitySummary),
    next_cursor: nullable(Type.String()),
  }),
)
export type OpportunityBoardStage = Static<typeof OpportunityBoardStage>

export const OpportunityBoard = named(
  'OpportunityBoard',
  strict({
    pipeline: Reference,
    base_currency: Type.String({ examples: ['EUR'] }),
    as_of: Timestamp,
    closed_from: Type.String({ format: 'date' }),
    stages: Type.Array(OpportunityBoardStage),
  }),
)
export type OpportunityBoard = Static<typeof OpportunityBoard>

export const OpportunityBoardQuery = strict({
  pipeline_id: Type.Optional({ ...Id, description: 'Pipeline of the board. Default: the default pipeline.' }),
  owner_id: Type.Optional(OwnerFilter),
  team_id: Type.Optional(TeamFilter),
  search: Type.Optional(Search),
  limit: Type.Integer({ minimum: 1, maximum: 50, default: 20, description: 'Maximum number of deals per open stage.' }),
})
export type OpportunityBoardQuery = Static<typeof OpportunityBoardQuery>
