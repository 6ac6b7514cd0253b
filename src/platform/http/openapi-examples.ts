import { type Document, follow, type Schema } from './openapi-document.ts'

/** What fields are usually called, and what stands in them. */
const byName: Record<string, string> = {
  email: 'ada@acme.example',
  name: 'Ada Lovelace',
  display_name: 'Ada Lovelace',
  title: 'Head of Sales',
  slug: 'acme',
  phone: '+49 30 1234567',
  timezone: 'Europe/Berlin',
  locale: 'en',
  currency: 'EUR',
  amount: '1250.00',
  color: '#3366ff',
  ip: '203.0.113.7',
  version: '1.0.0',
  password: 'correct horse battery staple',
  auth_method: 'password',
  auth_methods: 'password',
  avatar_url: 'https://acme.example/ada.png',
  access_token: 'eyJhbGciOiJFZERTQSJ9…',
  refresh_token: 'eyJhbGciOiJFZERTQSJ9…',
  next_cursor: 'eyJhZnRlciI6IjAxOTU3MGE4In0',
  status_url: '/api/tasks/019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12/status',
}

const byTitle: Record<string, object> = {
  Problem: {
    type: '/reference/errors/validation_failed',
    title: 'Unprocessable Entity',
    status: 422,
    detail: 'The request is not valid. See errors for each problem.',
    code: 'validation_failed',
    request_id: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
    errors: [{ in: 'body', path: '/email', code: 'format', message: '/email must match format "email".' }],
  },
}

const byFormat: Record<string, string> = {
  uuid: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  email: 'ada@acme.example',
  uri: 'https://acme.example/',
}

const nothing = Symbol('no example')

/** Gives every named record an example, made from its fields; what cannot be made up honestly gets none. */
export function giveExamples(document: Document): Document {
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    if (schema.type !== 'object' || schema.examples) return [name, schema]
    const example = byTitle[name] ?? exampleOf(document, schema)
    return [name, example === nothing ? schema : { ...schema, examples: [example] }]
  })
  return { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
}

function exampleOf(document: Document, given: Schema, field = ''): unknown {
  const schema = follow(document, given)
  if (schema.examples?.length) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum?.length) return schema.enum.includes('active') ? 'active' : schema.enum[0]
  if (schema.properties) return objectLike(document, schema)
  if ('default' in schema) return schema.default
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return oneOf(document, branches, field)
  if (schema.items) return arrayOf(document, schema.items, field)
  return plainValue(schema, field)
}

/** What may be missing is there, but for instants: most of those that may be missing tell of an end. */
function oneOf(document: Document, branches: Schema[], field: string): unknown {
  const value = branches.find(({ type }) => type !== 'null') ?? {}
  const isOpen = value.format === 'date-time' && branches.length > 1
  return isOpen ? null : exampleOf(document, value, field)
}

function objectLike(document: Document, { properties = {}, required = [] }: Schema): unknown {
  const entries = Object.entries(properties).map(([name, schema]) => [name, exampleOf(document, schema, name)] as const)
  if (entries.some(([name, value]) => value === nothing && required.includes(name))) return nothing
  return Object.fromEntries(entries.filter(([, value]) => value !== nothing))
}

function arrayOf(document: Document, items: Schema, field: string): unknown {
  const item = exampleOf(document, items, field)
  return item === nothing ? nothing : [item]
}

function plainValue(schema: Schema, field: string): unknown {
  const type = [schema.type].flat().find((one) => one !== 'null')
  if (type === undefined) return null
  if (type === 'boolean') return !/^must_|required$/.test(field)
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'object') return {}
  if (type !== 'string') return nothing
  const text = byFormat[schema.format ?? ''] ?? byName[field] ?? (field.replaceAll('_', ' ') || 'text')
  return fits(schema, text) ? text : nothing
}

const fits = ({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: Schema, text: string) =>
  text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text))
