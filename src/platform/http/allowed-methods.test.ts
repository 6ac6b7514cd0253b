import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { buckets } from '#platform/limits'
import { startTestApp } from '#testing'

const lines: { msg: string; req?: object; res?: object }[] = []
const { app, tenant, clock } = await startTestApp(
  { LOG_LEVEL: 'info', RATE_LIMIT_FACTOR: '1' },
  { onLine: (line) => void lines.push(JSON.parse(line)) },
)
const acme = await tenant()

const send = (method: string, url: string, headers: Record<string, string> = {}) =>
  app.inject({ method: method as InjectOptions['method'], url, headers: { host: acme.host, ...headers } })
const signedIn = { authorization: `Bearer ${acme.member.accessToken}` }

const id = '0190b2c0-0000-7000-8000-000000000001'
const cases: [method: string, path: string, allow: string][] = [
  ['PUT', '/api/teams/', 'GET, POST'],
  ['DELETE', '/api/teams?limit=1', 'GET, POST'],
  ['PUT', `/api/teams/${id}`, 'DELETE, GET, PATCH'],
  ['POST', `/api/teams/${id}/`, 'DELETE, GET, PATCH'],
  ['POST', '/health', 'GET'],
  ['DELETE', '/login', 'GET'],
  ['HEAD', '/api/teams/', 'GET, POST'],
  ['OPTIONS', '/api/teams/', 'GET, POST'],
]

test('a known path with another method is a 405 that lists the allowed methods', async () => {
  for (const [method, path, allow] of cases) {
    for (const headers of [{}, signedIn]) {
      const response = await send(method, path, headers)
      assert.deepEqual([method, path, response.statusCode, response.headers.allow], [method, path, 405, allow])
      assert.match(String(response.headers['content-type']), /^application\/problem\+json/)
      assert.equal(response.headers['x-content-type-options'], 'nosniff')
      assert.ok(response.headers['x-request-id'])
      const detail = `This path does not support ${method}. Use ${allow.replaceAll(', ', ' or ')}.`
      if (method !== 'HEAD')
        assert.partialDeepStrictEqual(response.json(), { status: 405, code: 'method_not_allowed', detail })
    }
  }
  const logged = lines.filter(({ msg }) => msg === 'request completed')
  assert.equal(logged.length, 2 * cases.length)
  assert.partialDeepStrictEqual(logged[0], { req: { method: 'PUT', route: 'unmatched' }, res: { status: 405 } })
})

test('an unknown path is a 404 with every method', async () => {
  for (const method of ['GET', 'PUT', 'POST', 'OPTIONS', 'HEAD']) {
    for (const path of ['/api/nothing', `/api/teams/${id}/nothing`, '/api/teams/a/b/c']) {
      const { statusCode, headers } = await send(method, path)
      assert.deepEqual([method, path, statusCode, headers.allow], [method, path, 404, undefined])
    }
  }
})

test('requests with a wrong method count against the limit of the network', async () => {
  const put = () =>
    app.inject({ method: 'PUT', url: '/api/teams/', headers: { host: acme.host }, remoteAddress: '203.0.113.50' })

  // Time refills the limit, so a slow machine would never reach it.
  clock.freeze()
  const statuses: number[] = []
  for (let n = 0; n <= buckets.anonymous.burst; n++) statuses.push((await put()).statusCode)

  assert.deepEqual(new Set(statuses.slice(0, -1)), new Set([405]))
  assert.equal(statuses.at(-1), 429)
})
