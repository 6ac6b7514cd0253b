import type { Expression, SqlBool } from 'kysely'
import type { RuleFact } from '#platform/module'

/** A column, of a joined table if `joinAlias` is set, or a key inside a jsonb column. */
type FieldLocation = {
  column: string
  joinAlias?: string
  jsonKey?: string
  /** A custom field whose values are also in the index table. */
  index?: { fieldId: string }
}

/** A field that rules may use. Only names from a catalogue become part of a statement. */
export type RuleField = FieldLocation &
  (
    | {
        type: 'text'
        /** Column with the same text in lower case, so that `eq`, `in` and `starts_with` can use an index. */
        lowerColumn?: string
        /** The text is a part of the record's search text, so that `contains` can use the search index. */
        isSearched?: true
      }
    | { type: 'select' | 'multi_select'; options?: readonly string[] }
    | {
        type: 'tags'
        /** Condition on an indexed tag table; arrays cannot use an index under row-level security. */
        hasAnyTag?(tags: readonly string[], recordId: Expression<string>): Expression<SqlBool>
      }
    | {
        type: 'money'
        jsonKey?: never
        /** Returns the amount in the base currency, if it is not in a column of the record. */
        baseAmountOf?(recordId: Expression<string>): Expression<number>
      }
    | { type: 'number' | 'boolean' | 'date' | 'datetime' | 'user' | 'reference' }
  )
export type FieldType = RuleField['type']

export const jsonTypes = {
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

export type FieldCatalogue = Readonly<Record<string, RuleField>>

type PlainType = 'text' | 'number' | 'datetime' | 'reference'

/** Returns fields with the names of their columns, separated by spaces. */
export const fieldsOfType = (type: PlainType, names: string): FieldCatalogue =>
  fieldsNamed(names, (column) => ({ type, column }))

/** Returns text fields whose columns are a part of the record's search text. */
export const searchedFields = (names: string): FieldCatalogue =>
  fieldsNamed(names, (column) => ({ type: 'text', column, isSearched: true }))

const fieldsNamed = (names: string, toField: (name: string) => RuleField): FieldCatalogue =>
  Object.fromEntries(names.split(' ').map((name) => [name, toField(name)]))

export const selectField = (column: string, options?: readonly string[]): RuleField => ({
  type: 'select',
  column,
  options,
})

/** `sla_due_at` becomes `Sla due`. */
export function toFieldLabel(key: string): string {
  const words = key.replace(/_(id|at|on)$/, '').replace(/[._]/g, ' ')
  return words[0]!.toUpperCase() + words.slice(1)
}

/** Fields and facts that a rule may use. Rules without facts can also be evaluated in memory. */
export type RuleVocabulary = {
  objectType: string
  fields: FieldCatalogue
  facts?: readonly RuleFact[]
  currency: string
}

/** Inputs of relative conditions such as `is_me` and `in_last_days`. */
export type RuleContext = { now: Date; timezone: string; me: string | null }
