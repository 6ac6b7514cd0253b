import { exampleText } from './example-texts.ts'

type ExampleOptions = {
  /** Name of the record, which decides the examples of its `name` and `title`. */
  title?: string
  field?: string
  /** Leaves out optional fields. */
  isMinimal?: boolean
  resolve?(schema: JsonSchema): JsonSchema
}

const byFormat: Record<string, string> = {
  uuid: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  email: 'ada@acme.example',
  uri: 'https://acme.example/',
}

/** Creates an example from the constraints of a schema and the names of its fields; undefined if a required field has none. */
export function createExample(reference: JsonSchema, options: ExampleOptions = {}): unknown {
  const schema = options.resolve?.(reference) ?? reference
  if (reference.$ref) return createExample(schema, { ...options, title: schema.title, field: undefined })
  if (schema.examples?.length) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum?.length) return schema.enum.includes('active') ? 'active' : schema.enum[0]
  if (schema.properties) return objectExample(schema, options)
  if ('default' in schema) return schema.default
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return createExample(branches.find(({ type }) => type !== 'null') ?? {}, options)
  if (schema.items) return arrayExample(schema.items, options)
  return plainExample(schema, options)
}

function objectExample(schema: JsonSchema, options: ExampleOptions): unknown {
  const { properties = {}, required = [] } = schema
  const fields = options.isMinimal ? minimalFields(schema) : Object.keys(properties)
  // A parent is a record of the same kind.
  const title = options.field && options.field !== 'parent' ? options.field : options.title
  const entries = fields.map(
    (field) => [field, createExample(properties[field]!, { ...options, title, field })] as const,
  )
  if (entries.some(([field, value]) => value === undefined && required.includes(field))) return undefined
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined))
}

/** The required fields. If all fields of a body are optional, as in a PATCH, one of them. */
function minimalFields(schema: JsonSchema): string[] {
  const { properties = {}, required = [] } = schema
  if (required.length || 'default' in schema) return required
  const names = Object.keys(properties)
  return [['name', 'last_name', 'title', 'subject'].find((name) => names.includes(name)) ?? names[0]!].filter(Boolean)
}

function arrayExample(items: JsonSchema, options: ExampleOptions): unknown {
  const item = createExample(items, options)
  return item === undefined ? undefined : [item]
}

function plainExample(schema: JsonSchema, { title = '', field = '' }: ExampleOptions): unknown {
  const types = [schema.type].flat()
  const type = types.find((name) => name !== 'null')
  if (type === undefined || (types.length > 1 && isUsuallyNull(schema, field))) return null
  if (type === 'boolean') return !/^must_|required$/.test(field)
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'object') return {}
  if (type !== 'string') return undefined
  const text = byFormat[schema.format ?? ''] ?? exampleText(title, field) ?? (field.replaceAll('_', ' ') || 'text')
  return fits(schema, text) ? text : undefined
}

/** Times and ids of what has not happened to most records. */
const isUsuallyNull = ({ format }: JsonSchema, field: string) =>
  format === 'date-time' || (format === 'uuid' && /^(converted|deleted|import|merged)_/.test(field))

const fits = ({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: JsonSchema, text: string) =>
  text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text))

/** The part of JSON Schema that the OpenAPI document uses. */
export type JsonSchema = {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  pattern?: string
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minimum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  'x-comma-separated'?: true
}
