import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviationsInDescription } from './described.ts'
import type { Description, Operation } from './description.ts'
import type { Endpoint } from './endpoint.ts'

const description: Description = { paths: {}, security: [{ bearer: [] }, { api_key: [] }] }
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
const deviations = (contract: Partial<Endpoint>, described: Partial<Operation>) =>
  deviationsInDescription({ ...endpoint, ...contract }, { ...operation, ...described }, description)

test('an operation that is as the contract says has no deviation', () => {
  assert.deepEqual(deviations({}, {}), [])
})

test('every way to deviate from the contract is noticed', () => {
  const body = { required: true, content: {} }

  assert.deepEqual(deviations({}, { parameters: [] }), ['has no query parameter limit'])
  assert.deepEqual(deviations({}, { requestBody: body }), ['has a body that is required and should be none'])
  assert.deepEqual(deviations({ body: 'optional' }, { requestBody: body }), [
    'has a body that is required and should be optional',
  ])
  assert.deepEqual(deviations({}, { responses: { 202: array } }), ['answers 202 and should answer 200'])
  assert.deepEqual(deviations({}, { responses: { 200: {} } }), ['does not answer with an array'])
  assert.deepEqual(deviations({}, { security: [] }), ['is public and should ask for a credential'])
  assert.deepEqual(deviations({ auth: 'none' }, {}), ['asks for a credential and should be public'])
  assert.deepEqual(deviations({ auth: 'bearer (JWT only)' }, {}), ['takes bearer, api_key and should take bearer'])
  assert.deepEqual(deviations({}, { 'x-required-scopes': ['users.write'] }), [
    'asks for the scope users.write and should ask for users.read',
  ])
  assert.deepEqual(deviations({ scope: null }, {}), ['asks for the scope users.read and should ask for none'])
})
