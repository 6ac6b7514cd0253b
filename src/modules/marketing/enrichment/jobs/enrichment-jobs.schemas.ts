import { type Static, Type } from 'typebox'
import {
  AcceptedTask,
  enumList,
  Id,
  listQuery,
  named,
  nullable,
  pageOf,
  sortOrder,
  strict,
  Timestamp,
} from '#platform/schema'
import { allEnrichableFields, entityTypes, Lead } from '../enrichable.ts'
import { Suggestion } from '../suggestions/suggestions.schemas.ts'
import { jobStatuses, lookupOutcomes, skipReasons } from './job-status.rules.ts'

const EntityType = Type.Enum([...entityTypes])
const Text = Type.String({ maxLength: 100 })
const FieldNames = Type.Array(Text)
const count = Type.Integer({ minimum: 0 })
const Confidence = Type.Number({ minimum: 0, maximum: 1 })
const Status = Type.Enum([...jobStatuses])

export const RecordParams = strict({ entity_type: EntityType, entity_id: Id })
export const LeadParams = strict({ lead_id: Id })

const Fields = {
  ...enumList(allEnrichableFields),
  description: 'Fields to look up. Default: those that are empty or older than `refresh_after_days`.',
}
export const EnrichmentRequest = strict({
  fields: Type.Optional(Fields),
  force: Type.Optional(Type.Boolean({ description: 'Look up enriched values again, whatever their age.' })),
})
export type EnrichmentRequest = Static<typeof EnrichmentRequest>

export const EnrichmentJob = named(
  'EnrichmentJob',
  strict({
    id: Id,
    entity_type: EntityType,
    entity_id: Id,
    status: Status,
    reason: nullable(Type.Enum([...skipReasons])),
    trigger: Type.Enum(['manual', 'bulk', 'auto', 'refresh']),
    requested_by: nullable(Id),
    fields_requested: FieldNames,
    log: Type.Array(
      strict({
        provider: Text,
        outcome: Type.Enum([...lookupOutcomes]),
        error: nullable(Text),
        ms: count,
        fields: FieldNames,
        invalid_fields: FieldNames,
        credits: count,
      }),
      { description: 'Result of each provider that was asked.' },
    ),
    credits_used: count,
    attempts: count,
    next_attempt_at: nullable(Timestamp),
    created_at: Timestamp,
    started_at: nullable(Timestamp),
    finished_at: nullable(Timestamp),
    updated_at: Timestamp,
  }),
)
export type EnrichmentJob = Static<typeof EnrichmentJob>

const AppliedValue = strict({ field: Text, value: Type.Unknown(), provider: Text, confidence: Confidence })
export type AppliedValue = Static<typeof AppliedValue>

const resultProperties = {
  job_id: Id,
  task_id: nullable(Id),
  status_url: nullable(Type.String()),
  status: Status,
  reason: nullable(Type.Enum([...skipReasons])),
  applied: Type.Array(AppliedValue, { description: 'Values that were written before the response.' }),
  suggested: Type.Array(Suggestion),
}
export const EnrichmentResult = named('EnrichmentResult', strict(resultProperties))
export type EnrichmentResult = Static<typeof EnrichmentResult>
export const QueuedEnrichment = named('QueuedEnrichment', strict({ ...resultProperties, ...AcceptedTask.properties }))
export const LeadEnrichment = named('LeadEnrichment', strict({ ...resultProperties, lead: Lead }))

export const QueueQuery = listQuery({
  sort: sortOrder(['-created_at', 'created_at']),
  status: Type.Optional(enumList([...jobStatuses])),
  entity_type: Type.Optional(EntityType),
})
export type QueueQuery = Static<typeof QueueQuery>

const counts = Object.fromEntries(jobStatuses.map((status) => [status, count])) as Record<
  (typeof jobStatuses)[number],
  typeof count
>
export const EnrichmentQueue = named(
  'EnrichmentQueue',
  strict({
    ...pageOf(EnrichmentJob).properties,
    counts: Type.Unsafe<Record<string, number>>({
      ...strict(counts),
      description: 'Number of jobs by status, at most 1,000 each.',
    }),
  }),
)

const EnrichedField = strict({
  field: Text,
  value: Type.Unknown(),
  source: nullable(Type.Enum(['human', 'api', 'import', 'form', 'enrichment', 'convert', 'merge'])),
  provider: nullable(Text),
  confidence: nullable(Confidence),
  set_at: nullable(Timestamp),
})

export const EnrichmentStatus = named(
  'EnrichmentStatus',
  strict({
    last_job: nullable(EnrichmentJob),
    fields: Type.Array(EnrichedField),
    suggestions: Type.Array(Suggestion, { description: 'Open suggestions, at most 200.' }),
  }),
)
export type EnrichmentStatus = Static<typeof EnrichmentStatus>
