import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { startMaliciousProvider } from '../../credentials/oidc/malicious-provider.stand-in.ts'
import { enableOkta, patchSsoSettings } from './sso.fixture.ts'

const { tenant } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })
const provider = await startMaliciousProvider({ clientId: 'tributary', clientSecret: 'secret' })
const acme = await tenant()
await enableOkta(acme, { issuer: provider.issuerOf('honest'), client: provider.client })
const url = '/api/admin/settings/sso/okta/test'

type Step = { name: string; ok: boolean; detail: string }
const stepsOf = (body: { steps: Step[] }) => body.steps.map(({ name, ok }) => `${name} ${ok}`)

test('an admin can test the Okta settings, even before Okta is enabled', async () => {
  await patchSsoSettings(acme.admin, { okta: { enabled: false } })

  const { status, body } = await acme.admin.post(url)

  assert.equal(status, 200)
  assert.equal(body.ok, true)
  assert.deepEqual(stepsOf(body), ['discovery true', 'issuer true', 'keys true', 'authorization_url true'])
  const repeated = await acme.admin.post(url, undefined, { 'idempotency-key': 'once' })
  const replayed = await acme.admin.post(url, undefined, { 'idempotency-key': 'once' })
  assert.deepEqual([repeated.status, replayed.status], [200, 200])
  assert.equal(replayed.headers['idempotency-replayed'], 'true')
})

test('each failed step is reported without provider output', async () => {
  const cases: [string, Parameters<typeof provider.setResponse>[1], string[]][] = [
    ['down', { discovery: (response) => response.destroy() }, ['false', 'false', 'false', 'false']],
    ['secretive', { discovery: (response) => response.end('internal secret') }, ['false', 'false', 'false', 'false']],
    ['other', { metadata: (honest) => ({ ...honest, issuer: 'internal secret' }) }, ['true', 'false', 'true', 'true']],
    ['keyless', { keySet: () => 'internal secret' }, ['true', 'true', 'false', 'true']],
    [
      'scripted',
      { metadata: (honest) => ({ ...honest, authorization_endpoint: 'javascript:alert(1)' }) },
      ['true', 'true', 'true', 'false'],
    ],
  ]
  for (const [name, response, expected] of cases) {
    provider.setResponse(name, response)
    await patchSsoSettings(acme.admin, {
      okta: { issuer: provider.issuerOf(name), client_secret: provider.client.secret },
    })

    const { body, text } = await acme.admin.post(url)

    assert.equal(body.ok, false, name)
    assert.deepEqual(
      stepsOf(body).map((step) => step.split(' ')[1]),
      expected,
      name,
    )
    assert.ok(!text.includes('internal secret') && !text.includes('javascript'), text)
  }
})

test('only a signed-in admin can test, and only with a configured issuer', async () => {
  const beta = await tenant()
  const key = await acme.admin.post('/api/api-keys', { name: 'Key', scopes: ['admin.write'] })

  assert.equal((await beta.admin.post(url)).body.code, 'sso_not_configured')
  assert.equal((await acme.manager.post(url)).body.code, 'scope_required')
  assert.equal((await acme.anonymous.post(url)).status, 401)
  assert.equal((await acme.bearer(`ApiKey ${key.body.key}`).post(url)).body.code, 'session_required')
  assert.equal((await acme.admin.post(url, { issuer: 'https://x.example' })).status, 422)
})
