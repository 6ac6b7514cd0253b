import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildRequest } from './build-request.ts'

const origin = 'https://acme.example'
const urlOf = (path: string, options: object) => buildRequest(origin, 'GET', path, options).url

test('values of the path are encoded', () => {
  const path = { lead_id: 'a/b', kind: 'c d' }

  assert.equal(urlOf('/api/leads/{lead_id}/{kind}', { params: { path } }), `${origin}/api/leads/a%2Fb/c%20d`)
})

test('lists in the query are joined, and what has no value is left out', () => {
  const query = {
    status: ['new', 'working'],
    search: 'a & b',
    count: 0,
    open: false,
    none: undefined,
    no: null,
    empty: [],
  }

  const { searchParams, pathname } = new URL(urlOf('/api/leads/', { params: { query } }))

  assert.equal(pathname, '/api/leads/')
  assert.deepEqual(Object.fromEntries(searchParams), {
    status: 'new,working',
    search: 'a & b',
    count: '0',
    open: 'false',
  })
  assert.equal(urlOf('/api/leads/', { params: { query: { none: undefined } } }), `${origin}/api/leads/`)
})

test('a body is sent as JSON, with the headers of the call', async () => {
  const options = { body: { name: 'Ada' }, headers: { 'If-Match': '"3"' } }
  const request = buildRequest(origin, 'PATCH', '/api/leads/1', options)

  assert.deepEqual(await request.json(), { name: 'Ada' })
  assert.deepEqual(
    ['content-type', 'if-match', 'idempotency-key'].map((name) => request.headers.get(name)),
    ['application/json', '"3"', null],
  )
  assert.equal(buildRequest(origin, 'GET', '/api/leads/1', {}).headers.get('content-type'), null)
})

test('a POST has a key, so that its effect happens once if it is sent again', () => {
  const keyOf = (headers?: object) =>
    buildRequest(origin, 'POST', '/api/leads/', { headers } as never).headers.get('idempotency-key')

  assert.match(keyOf()!, /^[\da-f-]{36}$/)
  assert.notEqual(keyOf(), keyOf())
  assert.equal(keyOf({ 'idempotency-key': 'own' }), 'own')
})
