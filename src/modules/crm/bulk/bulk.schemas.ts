import { type Static, Type } from 'typebox'
import { Accepted, Id, Line, named, nullable, strict } from '#platform/schema'
import { leadFilters } from '../leads/leads.schemas.ts'
import { settableStages } from '../leads/stage.rules.ts'
import { disqualifyReasons, settableStatuses } from '../leads/status.rules.ts'
import { RuleDocument } from '../rules/rule.schemas.ts'

/** The last two are registered by the modules they belong to. */
const actions = ['assign', 'set_status', 'set_stage', 'recompute', 'delete', 'enroll_cadence', 'enrich'] as const

const people = ['019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12', '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f13']

/** What any action may ask for. Each says which of them it takes. */
const Params = strict({
  owner_id: Type.Optional(Type.Union([Id, Type.Null()], { description: 'For assign: who gets them, or null.' })),
  distribute_to: Type.Optional(
    Type.Array(Id, {
      minItems: 2,
      maxItems: 100,
      uniqueItems: true,
      description: 'For assign: in turns.',
      examples: [people],
    }),
  ),
  status: Type.Optional(Type.Enum([...settableStatuses])),
  disqualify_reason: Type.Optional(Type.Enum([...disqualifyReasons])),
  lifecycle_stage: Type.Optional(Type.Enum([...settableStages])),
  stage_reason: Type.Optional(Line(200)),
  cadence_id: Type.Optional(Id),
  sender_id: Type.Optional(Id),
  force: Type.Optional(Type.Boolean()),
})
export type Params = Static<typeof Params>

export const BulkOrder = strict({
  action: Type.Enum([...actions]),
  lead_ids: Type.Optional(Type.Array(Id, { minItems: 1, maxItems: 10_000 })),
  filter: Type.Optional(strict({ ...leadFilters, rule: Type.Optional(RuleDocument) })),
  expected_count: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      description: 'With `filter`: how many leads you saw it match.',
    }),
  ),
  params: Type.Optional(Params),
})
export type BulkOrder = Static<typeof BulkOrder>

const count = Type.Integer({ minimum: 0 })
const counts = { action: Type.Enum([...actions]), total: count, succeeded: count, unchanged: count, failed: count }

const LeadOutcome = strict({
  lead_id: Id,
  outcome: Type.Enum(['ok', 'unchanged', 'failed']),
  code: nullable(Type.String()),
  message: nullable(Type.String()),
})
export type LeadOutcome = Static<typeof LeadOutcome>

const BulkDone = strict({ ...counts, results: Type.Array(LeadOutcome) })
export const BulkAnswer = named(
  'BulkAnswer',
  Type.Union([BulkDone, strict({ ...Accepted.properties, total: count })], {
    description: 'What became of each lead, or the task to follow where there are more than 200.',
  }),
)
export type BulkAnswer = Static<typeof BulkAnswer>
