import type { Expression, SqlBool } from 'kysely'
import type { RuleFact } from '#platform/module'

/**
 * Where the value of a field lies in a row. `of` names the joined row it belongs to, such as the account of a contact;
 * `jsonKey` the member of a jsonb column, as custom fields have it, with days and instants written as on the wire.
 */
type Place = { column: string; of?: string; jsonKey?: string }

/** A field the rule language may ask about. Only what is listed in a catalogue ever becomes part of a statement. */
export type Field = Place &
  (
    | {
        type: 'text'
        /** A column that keeps the same text in lower case, so that an index can answer `eq`, `in` and `starts_with`. */
        lowerColumn?: string
      }
    /** Without options any value may be named. */
    | { type: 'select' | 'multi_select'; options?: readonly string[] }
    | {
        type: 'tags'
        /** Asks a side table with an index whether the record carries one of these tags; arrays have none under row-level security. */
        carriedBy?(tags: readonly string[], recordId: Expression<string>): Expression<SqlBool>
      }
    /** Whole minor units of the workspace's currency. */
    | { type: 'money'; jsonKey?: never }
    | { type: 'number' | 'boolean' | 'date' | 'datetime' | 'user' | 'reference' }
  )
export type FieldType = Field['type']

/** How a value is kept in jsonb. Anything else that is found there is no value. */
export const jsonKinds = {
  text: 'string',
  number: 'number',
  money: 'object',
  boolean: 'boolean',
  date: 'string',
  datetime: 'string',
  select: 'string',
  user: 'string',
  reference: 'string',
  multi_select: 'array',
  tags: 'array',
} as const satisfies Record<FieldType, string>

/** The fields of one kind of record by the key people write: `industry`, `custom.tier`, `account.industry`. */
export type FieldCatalogue = Readonly<Record<string, Field>>

/** What a rule about one kind of record may speak of. Without facts it can also be judged in memory. */
export type Vocabulary = {
  objectType: string
  fields: FieldCatalogue
  facts?: readonly RuleFact[]
  /** The currency amounts are compared in. */
  currency: string
}

/** Who asks, when and where: what `is_me` and "in the last seven days" mean depends on it. */
export type Asker = { now: Date; timezone: string; me: string | null }
