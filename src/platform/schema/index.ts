import { type Static, type TProperties, type TSchema, type TUnsafe, Type } from 'typebox'

export { createExample, type JsonSchema } from './example.ts'
export { addFormats, isDate, isDateTime, isStorable, isStorableText, quickCompilation } from './formats.ts'

/** UUID in lower case, as PostgreSQL prints it. */
export const Id = Type.String({ format: 'uuid', pattern: '^[0-9a-f-]{36}$' })

const uuid = '[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}'

/** An id, or a word that stands for the caller or for no record. */
export const idOr = (word: 'me' | 'none', description: string) =>
  Type.String({ pattern: `^(${word}|${uuid})$`, maxLength: 36, description })

/** For responses: a Date in the code, an RFC 3339 string with milliseconds on the wire. */
export const Timestamp = Type.Unsafe<Date>({ type: 'string', format: 'date-time' })

/** For requests: strict RFC 3339, because PostgreSQL would also accept "now" and "infinity". */
export const Instant = Type.String({
  format: 'date-time',
  pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d{1,9})?(Z|[+-]\\d\\d:\\d\\d)$',
  maxLength: 40,
})

export const CalendarDay = Type.String({ format: 'date', pattern: '^(19|20|21)\\d\\d-\\d\\d-\\d\\d$' })

export const Email = Type.String({ format: 'email', minLength: 3, maxLength: 254 })

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
export const Domain = Type.String({ pattern: `^${label}(?:\\.${label})+$`, minLength: 4, maxLength: 253 })

export const Line = (maxLength: number) => Type.String({ minLength: 1, maxLength })

/** Uses a list of types where it can, because the serializer validates the branches of an `anyOf` one by one. */
export const nullable = <T extends TSchema>(schema: T): TUnsafe<Static<T> | null> =>
  Type.Unsafe(withNullType(schema) ?? { anyOf: [schema, Type.Null()] })

type KnownKeywords = { type?: string; enum?: unknown[]; title?: string; const?: unknown }

/** A titled schema becomes a component of the OpenAPI document and stays a branch of its own. */
function withNullType(schema: TSchema & KnownKeywords): TSchema | undefined {
  if (schema.title !== undefined || schema.const !== undefined) return undefined
  if (schema.enum) return { ...schema, type: ['string', 'null'], enum: [...schema.enum, null] }
  return typeof schema.type === 'string' ? { ...schema, type: [schema.type, 'null'] } : undefined
}

export const clearable = <T extends TSchema>(schema: T) => Type.Optional(nullable(schema))

/** Rejects undeclared fields in requests and removes them from responses. */
export const strict = <T extends TProperties>(properties: T) => Type.Object(properties, { additionalProperties: false })

/** Sets the example that the API reference shows; request bodies need one if a minimal body is not valid by itself. */
export const withExample = <T extends TSchema>(schema: T, example: object): T => ({ ...schema, examples: [example] })

/** Gives a schema a title, which makes it a component of the OpenAPI document. */
export const named = <T extends TSchema>(title: string, schema: T): T => ({ ...schema, title })

/** An object that the service validates itself. The OpenAPI document contains the given schema in its place. */
export const published = <T extends object>(schema: TSchema): TUnsafe<T> =>
  Type.Unsafe({ type: 'object', 'x-published': schema })

export const Reference = strict({ id: Id, name: Type.String() })
export type Reference = Static<typeof Reference>

const page = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Maximum number of items.' }),
  offset: Type.Integer({ minimum: 0, maximum: 1_000_000, default: 0, description: 'Number of items to skip.' }),
  cursor: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_000,
      description: '`next_cursor` of the previous page; cannot be combined with `offset`.',
    }),
  ),
  count: Type.Optional(
    Type.Enum(['capped', 'exact', 'none'], {
      description: 'Count up to 1,000 items (`capped`, the default), all items (`exact`) or none.',
    }),
  ),
}

export type PageQuery = { limit: number; offset: number; cursor?: string; count?: 'capped' | 'exact' | 'none' }

export type SortedPageQuery = PageQuery & { sort?: string }

export const listQuery = <T extends TProperties>(filters: T) => strict({ ...page, ...filters })

/** Query parameter with the orders of a list, each of them an index scan. The first is the default. */
export const sortOrder = <const V extends string[]>(values: V, description = 'A leading `-` means descending.') =>
  Type.Optional(Type.Enum(values, { description: `${description} Default: \`${values[0]}\`.` }))

/** Query parameter with up to ten values of an enum, separated by commas. Handlers receive an array. */
export const enumList = <const V extends string[]>(values: V) =>
  Type.Unsafe<V[number][]>({
    type: 'array',
    items: { type: 'string', enum: values },
    minItems: 1,
    maxItems: 10,
    'x-comma-separated': true,
  })

export const Search = Type.String({
  minLength: 1,
  maxLength: 200,
  description: 'Words that must all occur, in any order.',
})

export const pageOf = <T extends TSchema>(item: T) =>
  strict({
    items: Type.Array(item),
    total: nullable(Type.Integer({ minimum: 0 })),
    total_relation: nullable(Type.Enum(['eq', 'gte'])),
    limit: Type.Integer(),
    offset: Type.Integer(),
    next_cursor: nullable(Type.String()),
  })

export const listOf = <T extends TSchema>(item: T) => strict({ items: Type.Array(item), total: Type.Integer() })

/** Response fields of AI operations: whether a model or the rule-based fallback produced the result. */
export const engineFields = {
  engine: Type.Enum(['model', 'rules']),
  model: nullable(Type.String({ maxLength: 200 })),
  fallback_reason: nullable(
    Type.Enum(['not_configured', 'timeout', 'invalid_output', 'provider_error', 'budget_exceeded'], {
      description: 'Reason for the rule-based fallback.',
    }),
  ),
}

export const AcceptedTask = strict({ task_id: Id, status_url: Type.String() })
