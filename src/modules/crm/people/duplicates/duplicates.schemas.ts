import { type Static, Type } from 'typebox'
import { Id, named, nullable, strict, Timestamp } from '#platform/schema'

const text = nullable(Type.String())

export const Duplicate = named(
  'Duplicate',
  strict({
    entity_type: Type.Enum(['lead', 'contact']),
    record: strict({
      id: Id,
      name: text,
      email: text,
      company: text,
      owner_id: nullable(Id),
      created_at: Timestamp,
    }),
    match: Type.Enum(['email', 'name_company']),
    confidence: Type.Number({ minimum: 0, maximum: 1 }),
  }),
)
export type Duplicate = Static<typeof Duplicate>

export const Duplicates = strict({
  items: Type.Array(Duplicate, { maxItems: 50 }),
  total: Type.Integer({ minimum: 0, maximum: 50 }),
  total_relation: Type.Enum(['eq', 'gte'], { description: '`gte` if there are more duplicates than `items`.' }),
})
export type Duplicates = Static<typeof Duplicates>
