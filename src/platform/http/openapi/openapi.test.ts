import assert from 'node:assert/strict'
import { test } from 'node:test'
import { moveTitledToComponents, nameUntitledBodies } from './components.ts'
import { describeRoute } from './describe-route.ts'
import type { OpenApiDocument, OperationObject, SchemaObject } from './document.ts'
import { addExamples } from './examples.ts'
import { completeOperations } from './operations.ts'

const json = (schema: SchemaObject) => ({
  description: 'Default Response',
  content: { 'application/json': { schema } },
})
const record: SchemaObject = { type: 'object', properties: { id: { type: 'string' }, version: { type: 'integer' } } }

const documentOf = (paths: OpenApiDocument['paths'], schemas: Record<string, SchemaObject> = {}): OpenApiDocument => ({
  paths,
  components: { schemas },
})
const completeOnly = (method: string, operation: Partial<OperationObject>, path = '/api/rooms/') =>
  completeOperations(documentOf({ [path]: { [method]: { responses: {}, ...operation } } })).paths[path]![method]!
const refsOf = ({ parameters = [] }: OperationObject) =>
  parameters.map((item) => ('$ref' in item ? item.$ref : item.name))
const headersOf = (operation: OperationObject, status: number) => {
  const response = operation.responses[status]!
  return 'headers' in response ? Object.keys(response.headers ?? {}) : []
}

const idempotencyKey = '#/components/parameters/IdempotencyKey'
const ifMatch = '#/components/parameters/IfMatch'

test('the description of a route lists its access checks', () => {
  const config = {
    scope: 'pitch.write',
    roles: ['admin'],
    humanOnly: true,
    notWhileImpersonating: true,
    freshLogin: true,
  }
  const route = { method: 'POST', url: '/api/enablement/pitch/practice', config }

  const { schema } = describeRoute({ ...route, schema: { description: 'Starts a take.' }, route } as never)

  assert.deepEqual(
    [schema['x-required-scopes' as never], schema['x-required-roles' as never]],
    [['pitch.write'], ['admin']],
  )
  assert.deepEqual(schema.description?.split('\n\n')[0], 'Starts a take.')
  assert.match(
    schema.description!.split('\n\n')[1]!,
    /^Requires `pitch.write` \(.+\)\. Requires the role admin\. API keys are not accepted\. Not allowed while impersonating a user\. Requires a sign-in within the last 15 minutes\.$/,
  )
})

test('authenticated POST operations accept an idempotency key', () => {
  assert.deepEqual(refsOf(completeOnly('post', {})), [idempotencyKey])
  assert.deepEqual(refsOf(completeOnly('post', { security: [] })), [])
  assert.deepEqual(refsOf(completeOnly('post', {}, '/api/auth/logout')), [])
  assert.deepEqual(refsOf(completeOnly('patch', {})), [])
})

test('updates and deletes of versioned records support If-Match', () => {
  const responses = { 200: json(record) }
  const paths = {
    '/api/rooms/{id}': { get: { responses }, patch: { responses }, delete: { responses: {} } },
    '/api/rooms/{id}/pin': { patch: { responses: { 200: json({ type: 'object', properties: {} }) } } },
  }

  const { '/api/rooms/{id}': room, '/api/rooms/{id}/pin': pin } = completeOperations(documentOf(paths)).paths

  assert.deepEqual(
    [room!.get, room!.patch, room!.delete].map((operation) => refsOf(operation!)),
    [[], [ifMatch], [ifMatch]],
  )
  assert.deepEqual(room!.delete!.responses[412], { $ref: '#/components/responses/VersionMismatch' })
  assert.deepEqual(refsOf(pin!.patch!), [])
  assert.equal(pin!.patch!.responses[412], undefined)
})

test('responses describe their headers', () => {
  const created = completeOnly('post', { responses: { 201: json(record) } })
  const cursor = { name: 'cursor', in: 'query' as const, schema: {} }
  const list = completeOnly('get', { parameters: [cursor], responses: { 200: json({ type: 'array' }) } })

  assert.deepEqual(headersOf(created, 201).slice(0, 4), ['X-Request-Id', 'ETag', 'Location', 'Idempotency-Replayed'])
  assert.deepEqual(headersOf(list, 200).slice(0, 3), ['X-Request-Id', 'Link', 'X-Total-Count'])
})

test('a body is optional only if it has a default', () => {
  const content = (schema: SchemaObject) => ({ content: { 'application/json': { schema } } })

  const optional = completeOnly('post', { requestBody: content({ type: 'object', default: {} }) })
  const required = completeOnly('post', { requestBody: content({ type: 'object' }) })

  assert.equal(optional.requestBody?.required, false)
  assert.equal(required.requestBody?.required, true)
})

test('a filter on an enum describes that it accepts several values', () => {
  const schema: SchemaObject = { type: 'array', 'x-comma-separated': true }
  const parameter = { name: 'status', in: 'query' as const, schema, description: 'Only these.' }

  const [described] = completeOnly('get', { parameters: [parameter] }).parameters!

  assert.deepEqual(described, {
    name: 'status',
    in: 'query',
    schema: { type: 'array' },
    style: 'form',
    explode: false,
    description: 'Only these. Separate several values with commas.',
  })
})

test('a titled schema becomes one component, and two schemas cannot share a title', () => {
  const room: SchemaObject = { title: 'Room', type: 'object', examples: [{ title: 'Inside', type: 'deal' }] }
  const using = (schema: SchemaObject) => ({ get: { responses: { 200: json(schema) } } })

  const { components, paths } = moveTitledToComponents(documentOf({ '/a': using(room), '/b': using({ ...room }) }))
  const clash = () =>
    moveTitledToComponents(documentOf({ '/a': using(room), '/b': using({ title: 'Room', type: 'string' }) }))

  assert.deepEqual(Object.keys(components.schemas), ['Room'])
  assert.deepEqual(components.schemas.Room, room)
  assert.deepEqual(paths['/b']!.get!.responses[200], json({ $ref: '#/components/schemas/Room' }))
  assert.throws(clash, /Two different schemas have the title Room/)
})

test('a field with a default is optional in a request body', () => {
  const stage: SchemaObject = {
    type: 'object',
    required: ['key', 'kind'],
    properties: { key: { type: 'string' }, kind: { type: 'string', default: 'open' } },
  }
  const body: SchemaObject = {
    type: 'object',
    required: ['stages'],
    properties: { stages: { type: 'array', items: stage } },
  }
  const operation = {
    operationId: 'createPipeline',
    requestBody: { content: { 'application/json': { schema: body } } },
    responses: { 201: json(stage) },
  }

  const { post } = nameUntitledBodies(documentOf({ '/api/pipelines': { post: operation } })).paths['/api/pipelines']!

  const described = post!.requestBody!.content['application/json']!.schema!
  assert.deepEqual(described.required, ['stages'])
  assert.deepEqual(described.properties!.stages!.items!.required, ['key'])
  assert.deepEqual(stage.required, ['key', 'kind'], 'a response always has the field')
})

test('untitled bodies are named after their operation', () => {
  const document = documentOf({
    '/a': { get: { operationId: 'getRoom', responses: { 200: json({ type: 'object' }) } } },
  })

  assert.deepEqual(Object.keys(moveTitledToComponents(nameUntitledBodies(document)).components.schemas), [
    'GetRoomResult',
  ])
})

test('a generated example contains only valid values, and a declared one is kept', () => {
  const person: SchemaObject = {
    type: 'object',
    required: ['email', 'id'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      email: { type: 'string', format: 'email' },
      ended_at: { type: ['string', 'null'], format: 'date-time' },
      code: { type: 'string', pattern: '^[0-9]{6}$' },
    },
  }
  const unsupported: SchemaObject = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string', pattern: '^[0-9]{6}$' } },
  }
  const declared: SchemaObject = { type: 'object', examples: [{ mine: true }] }

  const { schemas } = addExamples(documentOf({}, { person, unsupported, declared })).components

  assert.deepEqual(schemas.person!.examples, [
    { id: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12', email: 'ada@acme.example', ended_at: null },
  ])
  assert.equal(schemas.unsupported!.examples, undefined)
  assert.deepEqual(schemas.declared!.examples, [{ mine: true }])
})

test('the example of a request body has only what is needed', () => {
  const properties: Record<string, SchemaObject> = {
    email: { type: 'string', format: 'email' },
    last_name: { type: 'string' },
  }
  const schemas: Record<string, SchemaObject> = {
    NewPerson: { title: 'NewPerson', type: 'object', required: ['email'], properties },
    PersonChanges: { title: 'PersonChanges', type: 'object', properties },
    Options: { title: 'Options', type: 'object', default: {}, properties },
    Declared: { title: 'Declared', type: 'object', properties },
  }
  const bodyOf = (name: string, example?: unknown): Record<string, OperationObject> => {
    const media = { schema: { $ref: `#/components/schemas/${name}` }, ...(example !== undefined && { example }) }
    return { post: { responses: {}, requestBody: { content: { 'application/json': media } } } }
  }
  const paths = {
    '/new': bodyOf('NewPerson'),
    '/changes': bodyOf('PersonChanges'),
    '/options': bodyOf('Options'),
    '/declared': bodyOf('Declared', { last_name: 'Hopper' }),
  }

  const document = addExamples(documentOf(paths, schemas))

  const examples = Object.values(document.paths).map(
    ({ post }) => post!.requestBody!.content['application/json']!.example,
  )
  assert.deepEqual(examples, [{ email: 'ada@acme.example' }, { last_name: 'Lovelace' }, {}, { last_name: 'Hopper' }])
  assert.deepEqual(document.components.schemas.Declared!.examples, [{ last_name: 'Hopper' }])
})
