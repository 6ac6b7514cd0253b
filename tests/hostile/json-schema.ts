export type Schema = {
  $ref?: string
  type?: string | string[]
  format?: string
  pattern?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minimum?: number
  maximum?: number
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
}
export type Parameter = {
  $ref?: string
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  schema: Schema
}
type Operation = { parameters?: Parameter[]; requestBody?: { content: Record<string, { schema: Schema }> } }
export type ApiDocument = { paths: Record<string, Record<string, Operation>>; components: object }

export function resolve<T extends { $ref?: string }>(document: ApiDocument, value: T): T {
  if (!value.$ref) return value
  const keys = value.$ref.replace('#/', '').split('/')
  return keys.reduce((node: unknown, key) => (node as Record<string, unknown>)[key], document) as T
}

/** Returns the schemas a value can have besides null. */
export function variantsOf(document: ApiDocument, schema: Schema): Schema[] {
  const resolved = resolve(document, schema)
  const alternatives = resolved.anyOf ?? resolved.oneOf
  if (alternatives) return alternatives.flatMap((alternative) => variantsOf(document, alternative))
  return resolved.type === 'null' ? [] : [resolved]
}

export const typeOf = ({ type, enum: choices }: Schema): string | undefined =>
  Array.isArray(type) ? type.find((name) => name !== 'null') : (type ?? (choices ? 'string' : undefined))

const texts = [
  'abc',
  'web',
  'EUR',
  'DE',
  '#0055aa',
  '0.5',
  '12',
  '2030-01',
  '2030-Q1',
  '08:00',
  '/home',
  'lead.created',
]
const textOfFormat: Record<string, string> = {
  uuid: '01890000-0000-7000-8000-000000000000',
  email: 'ada@engines.example',
  uri: 'https://engines.example/',
  date: '2030-01-31',
  'date-time': '2030-01-31T10:00:00Z',
}

/** Returns a valid value, so that a request is not rejected for anything but its hostile value. */
export function createSample(document: ApiDocument, schema: Schema): unknown {
  const [variant = {}] = variantsOf(document, schema)
  if (variant.const !== undefined) return variant.const
  if (variant.enum) return variant.enum[0]
  if (variant.examples) return variant.examples[0]
  if (variant.default !== undefined && variant.default !== null) return variant.default
  if (typeOf(variant) === 'object') {
    const fields = (variant.required ?? []).map((name) => [name, createSample(document, variant.properties![name]!)])
    return Object.fromEntries(fields)
  }
  if (typeOf(variant) === 'array')
    return Array.from({ length: variant.minItems ?? 0 }, () => createSample(document, variant.items!))
  if (typeOf(variant) === 'boolean') return true
  if (typeOf(variant) === 'integer' || typeOf(variant) === 'number') return Math.max(variant.minimum ?? 1, 1)
  const pattern = new RegExp(variant.pattern ?? '')
  return textOfFormat[variant.format ?? ''] ?? texts.find((text) => pattern.test(text)) ?? 'abc'
}
