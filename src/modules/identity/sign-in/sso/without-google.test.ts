import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { enableGoogle } from './sso.fixture.ts'

const { tenant } = await startTestApp({ GOOGLE_CLIENT_ID: 'only-half-of-it', RATE_LIMIT_FACTOR: '1' })
const acme = await tenant()
await enableGoogle(acme)

test('Google is disabled without a client of the installation', async () => {
  const { body } = await acme.anonymous.get('/api/auth/sso/providers')
  const start = await acme.anonymous.get('/api/auth/sso/google')

  assert.deepEqual(
    body.providers.map(({ name, enabled }: { name: string; enabled: boolean }) => [name, enabled]),
    [
      ['google', false],
      ['okta', false],
    ],
  )
  assert.deepEqual([start.status, start.body.code], [404, 'sso_not_configured'])
})

test('start and callback share a rate limit; the exchange uses the sign-in limit', async () => {
  const from = acme.anonymous.with({ remoteAddress: '203.0.113.7' })
  const attempts = Array.from({ length: 61 }, (_, index) => index)
  const path = (index: number) => (index % 2 ? '/api/auth/sso/okta' : '/api/auth/sso/okta/callback')

  const navigations = await Promise.all(attempts.map((index) => from.get(path(index))))
  const exchanges = await Promise.all(attempts.map(() => from.post('/api/auth/sso/exchange', { code: 'x'.repeat(43) })))

  assert.equal(navigations.filter(({ status }) => status === 429).length, 1)
  assert.equal(exchanges.filter(({ status }) => status === 429).length, 1)
  assert.equal(exchanges.filter(({ body }) => body.code === 'invalid_code').length, 60)
})

test('single sign-on cannot be enforced with a provider that the installation has not configured', async () => {
  const acme = await tenant()

  const rejected = await acme.admin.patch('/api/admin/settings', { sso: { enforced: true, google: { enabled: true } } })

  assert.deepEqual([rejected.status, rejected.body.code], [409, 'conflict'])
  assert.match(rejected.body.detail, /not set up for Google/)
})
