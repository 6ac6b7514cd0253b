import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' })

test('an IP address can request twenty password reset links per hour', async () => {
  const acme = await app.tenant()
  const client = acme.anonymous.with({ remoteAddress: '203.0.113.1' })
  const forgot = (from: typeof client, n: number) =>
    from.post('/api/auth/forgot-password', { email: `person-${n}@example.com` })

  const statuses = []
  for (let n = 0; n < 20; n++) statuses.push((await forgot(client, n)).status)
  const tooMany = await forgot(client, 20)
  const elsewhere = await forgot(acme.anonymous.with({ remoteAddress: '203.0.113.2' }), 21)

  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.deepEqual([tooMany.status, tooMany.body.code], [429, 'rate_limited'])
  assert.ok(Number(tooMany.headers['retry-after']) >= 100)
  assert.equal(elsewhere.status, 200)
})

test('rate limit headers describe the limits of anonymous and signed-in callers', async () => {
  const acme = await app.tenant()

  const anonymous = await acme.anonymous.get('/api/auth/sso/providers')
  const login = await acme.anonymous.post('/api/auth/login', { email: 'a@example.com', password: 'x' })
  const member = await acme.member.get('/api/auth/me')

  assert.match(anonymous.headers['ratelimit-policy'], /^"anonymous";q=600;w=60$/)
  assert.match(login.headers['ratelimit-policy'], /"anonymous".*"sign_in";q=60;w=60/)
  assert.match(member.headers['ratelimit-policy'], /^"session";q=1200;w=60, "tenant";q=30000;w=60$/)
})

test('requests with invalid credentials count against the anonymous limit', async () => {
  const acme = await app.tenant()
  const guesser = acme.bearer('Bearer nonsense').with({ remoteAddress: '203.0.113.9' })

  const statuses = []
  for (let guess = 0; guess < 320; guess++) statuses.push((await guesser.get('/api/auth/me')).status)

  assert.equal(statuses[0], 401)
  assert.ok(statuses.includes(429))
  assert.equal((await acme.member.with({ remoteAddress: '203.0.113.9' }).get('/api/auth/me')).status, 200)
})
