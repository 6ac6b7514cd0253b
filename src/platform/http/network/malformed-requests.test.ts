import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { constantHeaders } from './headers.ts'

const lines: { level: string; msg: string; req?: { route: string }; res?: { status: number }; status?: number }[] = []
const { app, tenant } = await startTestApp(
  { LOG_LEVEL: 'info', RATE_LIMIT_FACTOR: '1' },
  { onLine: (line) => void lines.push(JSON.parse(line)) },
)
const acme = await tenant()
const port = Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port)

/** Sends raw text on a connection of its own and reads until the server closes it. */
async function sendRaw(request: string) {
  const socket = connect(port, '127.0.0.1')
  socket.write(request)
  const response = await text(socket)
  const [head = '', body = ''] = response.split('\r\n\r\n')
  const [statusLine = '', ...headerLines] = head.split('\r\n')
  const headers = Object.fromEntries(headerLines.map((line) => line.toLowerCase().split(': ', 2) as [string, string]))
  return { status: Number(statusLine.split(' ')[1]), headers, body: JSON.parse(body) }
}

const get = (target: string, more = '') =>
  sendRaw(`GET ${target} HTTP/1.1\r\nHost: ${acme.host}\r\nConnection: close\r\n${more}\r\n`)

const signedIn = `Authorization: Bearer ${acme.admin.accessToken}\r\n`
const securityHeaders = Object.keys(constantHeaders)

test('a path with invalid escapes is treated like any other invalid path', async () => {
  const invalidId = await get('/api/leads/%ff', signedIn)
  const incomplete = await get('/api/leads/%e0%a4', signedIn)
  const unknown = await get('/%')
  const anonymous = await get('/api/leads/%ff')

  assert.deepEqual([invalidId.status, invalidId.body.code], [422, 'validation_failed'])
  assert.partialDeepStrictEqual(invalidId.body.errors[0], { in: 'path', path: '/lead_id', code: 'format' })
  assert.deepEqual([incomplete.status, anonymous.status], [422, 401])
  assert.deepEqual([unknown.status, unknown.body.detail], [404, 'No route matches GET /%.'])
  for (const { headers, body } of [invalidId, incomplete, unknown, anonymous]) {
    assert.match(headers['content-type']!, /^application\/problem\+json/)
    assert.equal(headers['x-request-id'], body.request_id)
  }
  assert.ok(invalidId.headers['ratelimit-policy'])
  assert.ok(lines.some(({ req, res }) => req?.route === '/api/leads/:lead_id' && res?.status === 422))
})

test('a path parameter of any length is validated', async () => {
  const { status, body } = await get(`/api/leads/${'1'.repeat(600)}`, signedIn)

  assert.deepEqual([status, body.errors[0].message], [422, '`lead_id` must be a UUID.'])
})

test('a request target that is not a path is rejected', async () => {
  const absolute = await get(`http://${acme.host}/health`)
  const asterisk = await get('*')

  for (const { status, body } of [absolute, asterisk])
    assert.deepEqual([status, body.detail], [422, 'The request target must be a path.'])
})

test('a request without a Host header is rejected', async () => {
  const { status, body } = await sendRaw('GET /health HTTP/1.1\r\nConnection: close\r\n\r\n')

  assert.deepEqual([status, body.code, body.detail], [422, 'validation_failed', 'The header `host` is required.'])
})

test('a duplicate Host or Authorization header is rejected in any case of letters', async () => {
  const hosts = await get('/health', `HOST: ${acme.host}\r\n`)
  const credentials = await get('/api/auth/me', `${signedIn}authorization: Bearer x\r\n`)
  const others = await get('/health', 'X-Note: a\r\nX-Note: b\r\n')

  assert.deepEqual(
    [hosts, credentials].map(({ status, body }) => [status, body.detail]),
    [
      [422, 'The header `host` must not be sent more than once.'],
      [422, 'The header `authorization` must not be sent more than once.'],
    ],
  )
  assert.equal(others.status, 200)
})

test('an unknown expectation is ignored', async () => {
  const { status } = await get('/health', 'Expect: 200-maybe\r\n')

  assert.equal(status, 200)
})

test('a request that is not HTTP is rejected with a problem document and logged', async () => {
  const usual = await get('/api/nothing')

  const malformed = await sendRaw('NONSENSE\r\n\r\n')
  const ambiguous = await sendRaw(
    'POST /api/teams/ HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n',
  )
  const large = await get('/health', `X-Large: ${'x'.repeat(20_000)}\r\n`)

  assert.deepEqual([malformed.status, malformed.body.code], [400, 'malformed_request'])
  assert.deepEqual([ambiguous.status, ambiguous.body.code], [400, 'malformed_request'])
  assert.deepEqual([large.status, large.body.code], [431, 'headers_too_large'])
  for (const { headers, body, status } of [malformed, ambiguous, large]) {
    assert.match(headers['content-type']!, /^application\/problem\+json/)
    assert.partialDeepStrictEqual(body, { status, type: `/reference/errors/${body.code}` })
    assert.equal(headers['x-request-id'], body.request_id)
    for (const name of securityHeaders) assert.equal(headers[name], usual.headers[name], name)
  }
  const rejected = lines.filter(({ msg }) => msg === 'request rejected by the HTTP parser')
  assert.deepEqual(
    rejected.map(({ status }) => status),
    [400, 400, 431],
  )
})
