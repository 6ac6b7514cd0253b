import { type Static, Type } from 'typebox'
import { named, Search, strict } from '#platform/schema'
import { ObjectType } from '../segments/segments.schemas.ts'

export const RuleValueQuery = strict({
  object_type: ObjectType,
  field: Type.String({
    minLength: 1,
    maxLength: 100,
    description: 'Key of a field with texts, such as `industry`, `tags` or `custom.region`.',
    examples: ['industry'],
  }),
  search: Type.Optional({ ...Search, description: 'Part of the values, in upper or lower case.' }),
})
export type RuleValueQuery = Static<typeof RuleValueQuery>

export const RuleValues = named(
  'RuleValues',
  strict({
    items: Type.Array(Type.String({ maxLength: 200 }), { maxItems: 20, description: 'The most frequent value first.' }),
  }),
)
export type RuleValues = Static<typeof RuleValues>
