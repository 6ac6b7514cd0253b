import { type OpenApiDocument, type OperationObject, resolveSchema, type SchemaObject } from './document.ts'

const byFieldName: Record<string, string> = {
  email: 'ada@acme.example',
  first_name: 'Ada',
  last_name: 'Lovelace',
  company: 'Analytical Engines',
  subject: 'Introduction call',
  label: 'Website',
  domain: 'acme.example',
  website: 'https://acme.example/',
  industry: 'software',
  tags: 'vip',
  stage_key: 'proposal',
  stage_label: 'Proposal',
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
  current_password: 'correct horse battery staple',
  new_password: 'a different passphrase for Ada',
  token: 'aVT3jKIUwkAwJmLZ7iQ1ZQ3QmY3cA0eYtqWn5l8bRzU',
  code: 'aVT3jKIUwkAwJmLZ7iQ1ZQ3QmY3cA0eYtqWn5l8bRzU',
  auth_method: 'password',
  auth_methods: 'password',
  avatar_url: 'https://acme.example/ada.png',
  access_token: 'eyJhbGciOiJFZERTQSJ9…',
  refresh_token: 'eyJhbGciOiJFZERTQSJ9…',
  next_cursor: 'eyJhZnRlciI6IjAxOTU3MGE4In0',
  status_url: '/api/tasks/019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12/status',
}

const recordNames: [part: string, name: string][] = [
  ['account', 'Acme Ltd'],
  ['opportunity', 'Acme Ltd, 20 seats'],
  ['pipeline', 'New business'],
  ['team', 'Sales'],
  ['apikey', 'Website form'],
  ['app', 'Website'],
  ['tenant', 'Acme'],
  ['general', 'Acme'],
]

const byTitle: Record<string, object> = {
  Problem: {
    type: '/reference/errors/validation_failed',
    title: 'Unprocessable Entity',
    status: 422,
    detail: 'The request is invalid. See `errors` for the problems.',
    code: 'validation_failed',
    request_id: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
    errors: [{ in: 'body', path: '/email', code: 'format', message: '`email` must be a valid email address.' }],
  },
}

const byFormat: Record<string, string> = {
  uuid: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12',
  'date-time': '2026-03-01T09:30:00.000Z',
  date: '2026-03-01',
  email: 'ada@acme.example',
  uri: 'https://acme.example/',
}

const noExample = Symbol('no example')

/** Adds a full example to every named schema, and a minimal one to every request body that does not declare one. */
export function addExamples(document: OpenApiDocument): OpenApiDocument {
  // @fastify/swagger moves the example of a body from its schema to the media type.
  const bodies = new Map(requestBodies(document).map(({ schema, example }) => [schemaName(schema), example]))
  const schemas = Object.entries(document.components.schemas).map(([name, schema]) => {
    if (schema.type !== 'object' || schema.examples) return [name, schema]
    const context = { title: name, isMinimal: bodies.has(name) }
    const example = bodies.get(name) ?? byTitle[name] ?? exampleOf(document, schema, context)
    return [name, example === noExample ? schema : { ...schema, examples: [example] }]
  })
  const result = { ...document, components: { ...document.components, schemas: Object.fromEntries(schemas) } }
  for (const body of requestBodies(result)) body.example ??= resolveSchema(result, body.schema).examples?.[0]
  return result
}

const requestBodies = ({ paths }: OpenApiDocument) =>
  Object.values(paths)
    .flatMap(Object.values<OperationObject>)
    .flatMap(({ requestBody }) => Object.values(requestBody?.content ?? {}))

const schemaName = (schema: SchemaObject | undefined) => schema?.$ref?.replace('#/components/schemas/', '')

type ExampleContext = { title?: string; field?: string; isMinimal?: boolean }

function exampleOf(document: OpenApiDocument, reference: SchemaObject, context: ExampleContext = {}): unknown {
  const schema = resolveSchema(document, reference)
  if (reference.$ref) return exampleOf(document, schema, { ...context, title: schema.title, field: undefined })
  if (schema.examples?.length) return schema.examples[0]
  if ('const' in schema) return schema.const
  if (schema.enum?.length) return schema.enum.includes('active') ? 'active' : schema.enum[0]
  if (schema.properties) return objectExample(document, schema, context)
  if ('default' in schema) return schema.default
  const branches = schema.anyOf ?? schema.oneOf
  if (branches) return exampleOf(document, branches.find(({ type }) => type !== 'null') ?? {}, context)
  if (schema.items) return arrayExample(document, schema.items, context)
  return plainExample(schema, context)
}

function objectExample(document: OpenApiDocument, schema: SchemaObject, context: ExampleContext): unknown {
  const { properties = {}, required = [] } = schema
  const fields = context.isMinimal ? minimalFields(schema) : Object.keys(properties)
  const title = context.field ?? context.title
  const entries = fields.map(
    (field) => [field, exampleOf(document, properties[field]!, { ...context, title, field })] as const,
  )
  if (entries.some(([field, value]) => value === noExample && required.includes(field))) return noExample
  return Object.fromEntries(entries.filter(([, value]) => value !== noExample))
}

/** The required fields. If all fields of a body are optional, as in a PATCH, one of them. */
function minimalFields(schema: SchemaObject): string[] {
  const { properties = {}, required = [] } = schema
  if (required.length || 'default' in schema) return required
  const names = Object.keys(properties)
  return [['name', 'last_name', 'title', 'subject'].find((name) => names.includes(name)) ?? names[0]!].filter(Boolean)
}

function arrayExample(document: OpenApiDocument, items: SchemaObject, context: ExampleContext): unknown {
  const item = exampleOf(document, items, context)
  return item === noExample ? noExample : [item]
}

function plainExample(schema: SchemaObject, { title = '', field = '' }: ExampleContext): unknown {
  const types = [schema.type].flat()
  const type = types.find((name) => name !== 'null')
  if (type === undefined || (types.length > 1 && schema.format === 'date-time')) return null
  if (type === 'boolean') return !/^must_|required$/.test(field)
  if (type === 'integer' || type === 'number') return Math.max(1, schema.minimum ?? 1)
  if (type === 'object') return {}
  if (type !== 'string') return noExample
  const text =
    byFormat[schema.format ?? ''] ??
    recordName(title, field) ??
    byFieldName[field] ??
    (field.replaceAll('_', ' ') || 'text')
  return fits(schema, text) ? text : noExample
}

function recordName(title: string, field: string): string | undefined {
  if (field !== 'name') return undefined
  const normalized = title.replaceAll('_', '').toLowerCase()
  return recordNames.find(([part]) => normalized.includes(part))?.[1]
}

const fits = ({ pattern, minLength = 0, maxLength = Number.POSITIVE_INFINITY }: SchemaObject, text: string) =>
  text.length >= minLength && text.length <= maxLength && (!pattern || new RegExp(pattern, 'u').test(text))
