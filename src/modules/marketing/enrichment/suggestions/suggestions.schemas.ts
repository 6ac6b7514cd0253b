import { type Static, Type } from 'typebox'
import { Id, listQuery, named, nullable, sortOrder, strict, Timestamp } from '#platform/schema'
import { entityTypes } from '../enrichable.ts'

const EntityType = Type.Enum([...entityTypes])

export const Suggestion = named(
  'EnrichmentSuggestion',
  strict({
    id: Id,
    entity_type: EntityType,
    entity_id: Id,
    field: Type.String({ maxLength: 40 }),
    current_value: Type.Unknown({ description: 'Value when the suggestion was made.' }),
    suggested_value: Type.Unknown(),
    provider: nullable(
      Type.String({ maxLength: 40, description: 'Null for the previous value of a field that was overwritten.' }),
    ),
    confidence: nullable(Type.Number({ minimum: 0, maximum: 1 })),
    state: Type.Enum(['open', 'accepted', 'rejected']),
    decided_by: nullable(Id),
    decided_at: nullable(Timestamp),
    created_at: Timestamp,
    updated_at: Timestamp,
  }),
)
export type Suggestion = Static<typeof Suggestion>

export const SuggestionQuery = listQuery({
  entity_type: Type.Optional(EntityType),
  sort: sortOrder(['-created_at', 'created_at']),
})
export type SuggestionQuery = Static<typeof SuggestionQuery>

export const SuggestionParams = strict({ suggestion_id: Id })
