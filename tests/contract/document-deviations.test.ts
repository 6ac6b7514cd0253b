import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findDocumentDeviations } from './document-deviations.ts'
import type { Endpoint } from './endpoint.ts'
import type { OpenApiDocument, Operation } from './openapi-document.ts'

const document: OpenApiDocument = { paths: {}, security: [{ bearer: [] }, { api_key: [] }] }
const endpoint: Endpoint = {
  method: 'GET',
  path: '/api/users/',
  module: 'users',
  auth: 'bearer',
  scope: 'users',
  query: ['limit'],
  body: 'none',
  status: 200,
  response: 'array',
}
const array = { content: { 'application/json': { schema: { type: 'array' } } } }
const operation: Operation = {
  parameters: [{ name: 'limit', in: 'query' }],
  responses: { 200: array },
  'x-required-scopes': ['users.read'],
}
const deviations = (contract: Partial<Endpoint>, actual: Partial<Operation>) =>
  findDocumentDeviations({ ...endpoint, ...contract }, { ...operation, ...actual }, document)

test('an operation that matches the contract has no deviations', () => {
  assert.deepEqual(deviations({}, {}), [])
})

test('every kind of deviation from the contract is reported', () => {
  const body = { required: true, content: {} }

  assert.deepEqual(deviations({}, { parameters: [] }), ['has no query parameter limit'])
  assert.deepEqual(deviations({}, { requestBody: body }), ['has body "required", expected "none"'])
  assert.deepEqual(deviations({}, { requestBody: { ...body, required: false } }), [])
  assert.deepEqual(deviations({ body: 'optional' }, { requestBody: body }), [
    'has body "required", expected "optional"',
  ])
  assert.deepEqual(deviations({}, { responses: { 202: array } }), ['responds 202, expected 200'])
  assert.deepEqual(deviations({}, { responses: { 200: {} } }), ['does not respond with an array'])
  assert.deepEqual(deviations({}, { security: [] }), ['is public, expected a credential'])
  assert.deepEqual(deviations({ auth: 'none' }, {}), ['requires a credential, expected public'])
  assert.deepEqual(deviations({ auth: 'bearer (JWT only)' }, {}), ['accepts bearer, api_key, expected bearer'])
  assert.deepEqual(deviations({}, { 'x-required-scopes': ['users.write'] }), [
    'requires the scope users.write, expected users.read',
  ])
  assert.deepEqual(deviations({ scope: null }, {}), ['requires the scope users.read, expected none'])
})
