import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { offerGoogle } from './sso.fixture.ts'

const { tenant } = await startTestApp({ GOOGLE_CLIENT_ID: 'only-half-of-it', RATE_LIMIT_FACTOR: '1' })
const acme = await tenant()
await offerGoogle(acme)

test('Google needs a client of the installation, and the list of providers says so', async () => {
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

test('starting and coming back count together, exchanging counts as signing in', async () => {
  const from = acme.anonymous.with({ remoteAddress: '203.0.113.7' })
  const turns = Array.from({ length: 61 }, (_, turn) => turn)
  const path = (turn: number) => (turn % 2 ? '/api/auth/sso/okta' : '/api/auth/sso/okta/callback')

  const navigations = await Promise.all(turns.map((turn) => from.get(path(turn))))
  const exchanges = await Promise.all(turns.map(() => from.post('/api/auth/sso/exchange', { code: 'x'.repeat(43) })))

  assert.equal(navigations.filter(({ status }) => status === 429).length, 1)
  assert.equal(exchanges.filter(({ status }) => status === 429).length, 1)
  assert.equal(exchanges.filter(({ body }) => body.code === 'invalid_code').length, 60)
})

test('a provider that the installation is not set up for cannot be the only way in', async () => {
  const acme = await tenant()

  const refused = await acme.admin.patch('/api/admin/settings', { sso: { enforced: true, google: { enabled: true } } })

  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'])
  assert.match(refused.body.detail, /not set up for Google/)
})
