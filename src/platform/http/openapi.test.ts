import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hoistTitled, nameBodies } from './openapi-components.ts'
import type { Document, Operation, Schema } from './openapi-document.ts'
import { giveExamples } from './openapi-examples.ts'
import { completeOperations } from './openapi-operations.ts'

const json = (schema: Schema) => ({ description: 'Default Response', content: { 'application/json': { schema } } })
const record: Schema = { type: 'object', properties: { id: { type: 'string' }, version: { type: 'integer' } } }

const documentOf = (paths: Document['paths'], schemas: Record<string, Schema> = {}): Document => ({
  paths,
  components: { schemas },
})
const only = (method: string, operation: Partial<Operation>, path = '/api/rooms/') =>
  completeOperations(documentOf({ [path]: { [method]: { responses: {}, ...operation } } })).paths[path]![method]!
const refsOf = ({ parameters = [] }: Operation) => parameters.map((one) => ('$ref' in one ? one.$ref : one.name))
const headersOf = (operation: Operation, status: number) => {
  const answer = operation.responses[status]!
  return 'headers' in answer ? Object.keys(answer.headers ?? {}) : []
}

const idempotencyKey = '#/components/parameters/IdempotencyKey'
const ifMatch = '#/components/parameters/IfMatch'

test('whatever is created by somebody who is signed in takes an idempotency key', () => {
  assert.deepEqual(refsOf(only('post', {})), [idempotencyKey])
  assert.deepEqual(refsOf(only('post', { security: [] })), [])
  assert.deepEqual(refsOf(only('post', {}, '/api/auth/logout')), [])
  assert.deepEqual(refsOf(only('patch', {})), [])
})

test('a record that counts its versions is changed and deleted under a condition', () => {
  const responses = { 200: json(record) }
  const paths = {
    '/api/rooms/{id}': { get: { responses }, patch: { responses }, delete: { responses: {} } },
    '/api/rooms/{id}/pin': { patch: { responses: { 200: json({ type: 'object', properties: {} }) } } },
  }

  const { '/api/rooms/{id}': room, '/api/rooms/{id}/pin': pin } = completeOperations(documentOf(paths)).paths

  assert.deepEqual(
    [room!.get, room!.patch, room!.delete].map((one) => refsOf(one!)),
    [[], [ifMatch], [ifMatch]],
  )
  assert.deepEqual(room!.delete!.responses[412], { $ref: '#/components/responses/VersionMismatch' })
  assert.deepEqual(refsOf(pin!.patch!), [])
  assert.equal(pin!.patch!.responses[412], undefined)
})

test('answers tell of their headers', () => {
  const made = only('post', { responses: { 201: json(record) } })
  const cursor = { name: 'cursor', in: 'query' as const, schema: {} }
  const list = only('get', { parameters: [cursor], responses: { 200: json({ type: 'array' }) } })

  assert.deepEqual(headersOf(made, 201).slice(0, 4), ['X-Request-Id', 'ETag', 'Location', 'Idempotency-Replayed'])
  assert.deepEqual(headersOf(list, 200).slice(0, 3), ['X-Request-Id', 'Link', 'X-Total-Count'])
})

test('a body with a default may be left out, and no other', () => {
  const content = (schema: Schema) => ({ content: { 'application/json': { schema } } })

  const optional = only('post', { requestBody: content({ type: 'object', default: {} }) })
  const required = only('post', { requestBody: content({ type: 'object' }) })

  assert.equal(optional.requestBody?.required, false)
  assert.equal(required.requestBody?.required, true)
})

test('a filter on a closed set says that it takes several values', () => {
  const schema: Schema = { type: 'array', 'x-comma-separated': true }
  const parameter = { name: 'status', in: 'query' as const, schema, description: 'Only these.' }

  const [described] = only('get', { parameters: [parameter] }).parameters!

  assert.deepEqual(described, {
    name: 'status',
    in: 'query',
    schema: { type: 'array' },
    style: 'form',
    explode: false,
    description: 'Only these. Several values are separated by commas.',
  })
})

test('a schema with a name is described once, and two schemas never share one', () => {
  const room: Schema = { title: 'Room', type: 'object', examples: [{ title: 'Inside', type: 'deal' }] }
  const using = (schema: Schema) => ({ get: { responses: { 200: json(schema) } } })

  const { components, paths } = hoistTitled(documentOf({ '/a': using(room), '/b': using({ ...room }) }))
  const clash = () => hoistTitled(documentOf({ '/a': using(room), '/b': using({ title: 'Room', type: 'string' }) }))

  assert.deepEqual(Object.keys(components.schemas), ['Room'])
  assert.deepEqual(components.schemas.Room, room)
  assert.deepEqual(paths['/b']!.get!.responses[200], json({ $ref: '#/components/schemas/Room' }))
  assert.throws(clash, /Two different schemas are called Room/)
})

test('a field of a body that has a default need not be sent', () => {
  const stage: Schema = {
    type: 'object',
    required: ['key', 'kind'],
    properties: { key: { type: 'string' }, kind: { type: 'string', default: 'open' } },
  }
  const body: Schema = { type: 'object', required: ['stages'], properties: { stages: { type: 'array', items: stage } } }
  const operation = {
    operationId: 'layPipeline',
    requestBody: { content: { 'application/json': { schema: body } } },
    responses: { 201: json(stage) },
  }

  const { post } = nameBodies(documentOf({ '/api/pipelines': { post: operation } })).paths['/api/pipelines']!

  const described = post!.requestBody!.content['application/json']!.schema!
  assert.deepEqual(described.required, ['stages'])
  assert.deepEqual(described.properties!.stages!.items!.required, ['key'])
  assert.deepEqual(stage.required, ['key', 'kind'], 'an answer always has it')
})

test('what has no name is called after its operation', () => {
  const document = documentOf({
    '/a': { get: { operationId: 'openRoom', responses: { 200: json({ type: 'object' }) } } },
  })

  assert.deepEqual(Object.keys(hoistTitled(nameBodies(document)).components.schemas), ['OpenRoomResponse'])
})

test('an example is made only of what fits, and a given one stays', () => {
  const person: Schema = {
    type: 'object',
    required: ['email', 'id'],
    properties: {
      id: { type: 'string', format: 'uuid' },
      email: { type: 'string', format: 'email' },
      ended_at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
      code: { type: 'string', pattern: '^[0-9]{6}$' },
    },
  }
  const strange: Schema = {
    type: 'object',
    required: ['code'],
    properties: { code: { type: 'string', pattern: '^[0-9]{6}$' } },
  }
  const given: Schema = { type: 'object', examples: [{ mine: true }] }

  const { schemas } = giveExamples(documentOf({}, { person, strange, given })).components

  assert.deepEqual(schemas.person!.examples, [
    { id: '019570a8-7c1e-7d3a-9f10-2b4c6d8e0f12', email: 'ada@acme.example', ended_at: null },
  ])
  assert.equal(schemas.strange!.examples, undefined)
  assert.deepEqual(schemas.given!.examples, [{ mine: true }])
})
