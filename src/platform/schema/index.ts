import { type Static, type TProperties, type TSchema, Type } from 'typebox'

/** Canonical and lower case, as PostgreSQL prints it. */
export const Id = Type.String({ format: 'uuid', pattern: '^[0-9a-f-]{36}$' })

/** A Date in the code, an RFC 3339 string with milliseconds on the wire. For answers. */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' })

/** An instant somebody sends us: strict RFC 3339, since PostgreSQL would also take "now" and "infinity". */
export const Instant = Type.String({
  format: 'date-time',
  pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$',
  maxLength: 40,
})

export const CalendarDay = Type.String({ format: 'date', pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\d$' })

export const Email = Type.String({ format: 'email', minLength: 3, maxLength: 254 })

/** Text without a line break that must not be empty. */
export const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength })

export const nullable = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])

/** A field that may be left out, and cleared with null. */
export const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** What is not declared is refused in a request, and does not leave the house in an answer. */
export const strict = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })

/** A named schema: one component of the OpenAPI document, referred to by everyone who uses it. */
export const named = <T extends TSchema>(title: string, schema: T): T => ({ ...schema, title })

/** `{ id, name }`: the little a screen needs of a record that is only referred to. */
export const Reference = strict({ id: Id, name: Type.String() })
export type Reference = Static<typeof Reference>

const page = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many items to return.' }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'How many items to skip.' }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: 'The `next_cursor` of the page before; excludes `offset`.',
    }),
  ),
  count: Type.Optional(
    Type.Enum(['capped', 'exact', 'none'], {
      description: 'How far to count: to 10,000 (default), to the end, or not.',
    }),
  ),
}

/** What every list understands. */
export type PageQuery = { limit: number; offset: number; cursor?: string; count?: 'capped' | 'exact' | 'none' }

export const listQuery = <T extends TProperties>(filters: T) => strict({ ...page, ...filters })

/** One value of a closed set, or up to ten of them separated by commas. It arrives as an array. */
export const anyOf = <const V extends string[]>(values: V) =>
  Type.Unsafe<V[number][]>({
    type: 'array',
    items: { type: 'string', enum: values },
    minItems: 1,
    maxItems: 10,
    'x-comma-separated': true,
  })

/** Every word must occur, in any order. */
export const Search = Type.String({ minLength: 1, maxLength: 200 })

export const pageOf = <T extends TSchema>(item: T) =>
  strict({
    items: Type.Array(item),
    total: nullable(Type.Integer({ minimum: 0 })),
    total_relation: nullable(Type.Enum(['eq', 'gte'])),
    limit: Type.Integer(),
    offset: Type.Integer(),
    next_cursor: nullable(Type.String()),
  })

/** A bounded set that is never paged. */
export const setOf = <T extends TSchema>(item: T) => strict({ items: Type.Array(item), total: Type.Integer() })

/** Who found an answer: the model of the workspace, or our rules and why. The fields stand in every answer of that kind. */
export const answeredBy = {
  engine: Type.Enum(['model', 'rules']),
  model: nullable(Type.String({ maxLength: 200 })),
  fallback_reason: nullable(
    Type.Enum(['not_configured', 'timeout', 'invalid_output', 'provider_error', 'budget_exceeded'], {
      description: 'Why the rules answered instead of a model.',
    }),
  ),
}

/** The answer to work that goes on after it. */
export const Accepted = strict({ task_id: Id, status_url: Type.String() })
