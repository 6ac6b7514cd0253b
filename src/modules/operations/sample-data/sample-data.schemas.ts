import { type Static, Type } from 'typebox'
import { Id, named, nullable, Reference, strict, Timestamp } from '#platform/schema'

export const SampleDataStatus = named(
  'SampleDataStatus',
  strict({
    loaded: Type.Boolean(),
    state: Type.Enum(['none', 'loading', 'loaded', 'removing']),
    batch_id: nullable(Id),
    loaded_at: nullable(Timestamp),
    loaded_by: nullable(Reference),
    counts: Type.Record(Type.String(), Type.Integer(), { description: 'Number of records per type, such as `lead`.' }),
    modified_count: Type.Integer({ description: 'Sample records that users have changed since.' }),
  }),
)
export type SampleDataStatus = Static<typeof SampleDataStatus>

export const RemoveSampleDataQuery = strict({
  include_modified: Type.Boolean({ default: false, description: 'Also deletes records that users have changed.' }),
})
