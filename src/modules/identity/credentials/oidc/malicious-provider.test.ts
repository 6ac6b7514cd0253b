import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { countSessions, enableOkta, patchSsoSettings } from '../../sign-in/sso/sso.fixture.ts'
import { startMaliciousProvider } from './malicious-provider.stand-in.ts'
import { type MaliciousCase, maliciousCases } from './malicious-responses.stand-in.ts'

const { tenant, clock } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })
const provider = await startMaliciousProvider({
  clientId: 'tributary',
  clientSecret: 'a secret of 32 bytes, or nearly.',
})
const acme = await tenant()
await enableOkta(acme, { issuer: provider.issuerOf('first'), client: provider.client })

let count = 0
const setIssuer = (issuer: string) =>
  patchSsoSettings(acme.admin, { okta: { issuer, client_secret: provider.client.secret } })

/** Signs in through a malicious provider and returns the URL fragment that the browser ends at. */
async function signOnThrough(
  { name: _, returned = {}, ...response }: MaliciousCase,
  name = `case${++count}`,
): Promise<string> {
  provider.setResponse(name, response)
  await setIssuer(provider.issuerOf(name))
  const start = await acme.anonymous.get('/api/auth/sso/okta')
  assert.equal(start.status, 302)
  const { searchParams } = new URL(start.headers.location)
  const [state, nonce] = [searchParams.get('state'), searchParams.get('nonce')]
  if (!state || !nonce) return new URL(start.headers.location).hash
  provider.setHonestClaims(name, { nonce, email: acme.member.email, now: clock.now() })
  const query = new URLSearchParams({ state, code: 'code', ...(returned as Record<string, string>) })
  const back = await acme.anonymous.get(`/api/auth/sso/okta/callback?${query}`)
  assert.equal(back.status, 302, back.text)
  return new URL(back.headers.location).hash.replace(/code=.*/, 'code')
}

const caseNames = maliciousCases.map((item) => item.name)

test('identity-2-14 an ID token that is not exactly right is rejected', async (t) => {
  for (const maliciousCase of maliciousCases)
    await t.test(maliciousCase.name, async () =>
      assert.equal(await signOnThrough(maliciousCase), '#sso_error=provider_error'),
    )

  assert.ok(caseNames.length >= 60, `${caseNames.length} cases`)
  assert.equal(new Set(caseNames).size, caseNames.length)
  assert.equal(await countSessions(acme, 'okta'), 0)
  const { rows } = await acme.sql('select id from identity.user_identities where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [])
  const { rows: codes } = await acme.sql('select id from identity.one_time_tokens where tenant_id = $1', [acme.id])
  assert.deepEqual(codes, [])
})

test('tokens of an honest provider are accepted with RS256 and ES256', async () => {
  assert.equal(await signOnThrough({ name: 'honest' }), '#code')
  const withCurve: MaliciousCase = {
    name: 'honest with ES256',
    idToken: ({ sign, claims, keys }) => sign(claims, { alg: 'ES256', kid: 'ec' }, keys.ec.privateKey),
  }
  const other = await acme.person('member')
  acme.member = other
  assert.equal(await signOnThrough(withCurve), '#code')
  acme.member = await acme.person('member')
  const several: MaliciousCase = {
    name: 'several audiences',
    idToken: ({ sign, claims }) => sign({ ...claims, aud: ['tributary', 'other'], azp: 'tributary' }),
  }
  assert.equal(await signOnThrough(several), '#code')
})

test('keys are fetched again for an unknown key id, at most once per minute', async () => {
  const keyRequests = () => provider.requests.filter((item) => item === 'rotating keys').length
  acme.member = await acme.person('member')
  const rotated: MaliciousCase = {
    name: 'rotated',
    idToken: ({ sign, claims, keys }) => sign(claims, { kid: 'new' }, keys.attacker.privateKey),
    keySet: ({ keys }) => ({ keys: [...keys, { ...provider.attackerJwk, kid: 'new' }] }),
  }
  assert.equal(await signOnThrough({ name: 'before' }, 'rotating'), '#code')
  assert.equal(await signOnThrough(rotated, 'rotating'), '#sso_error=provider_error')
  assert.equal(keyRequests(), 1)

  clock.advance(61)

  assert.equal(await signOnThrough(rotated, 'rotating'), '#code')
  assert.equal(await signOnThrough(rotated, 'rotating'), '#code')
  assert.equal(keyRequests(), 2)
})

test('a provider that fails at the start redirects back to the sign-in page', async (t) => {
  const cases: MaliciousCase[] = [
    { name: 'down', discovery: (response) => response.destroy() },
    { name: 'a failure', discovery: (response) => response.writeHead(500).end() },
    { name: 'nonsense', discovery: (response) => response.end('nonsense') },
    { name: 'a redirect', discovery: (response) => response.writeHead(302, { location: '/' }).end() },
    { name: 'oversized', discovery: (response) => response.end(Buffer.alloc(2_000_000, ' ')) },
  ]
  for (const maliciousCase of cases)
    await t.test(maliciousCase.name, async () =>
      assert.equal(await signOnThrough(maliciousCase), '#sso_error=provider_error'),
    )
  await setIssuer('http://127.0.0.1:1/')
  const { headers } = await acme.anonymous.get('/api/auth/sso/okta')
  assert.equal(headers.location, `https://${acme.host}/login#sso_error=provider_error`)
  assert.equal(headers['set-cookie'], undefined)
})

test('a provider that does not respond times out and blocks no other requests', async () => {
  const noResponse: MaliciousCase = { name: 'no response', token: () => {} }
  const startedAt = Date.now()
  const pending = signOnThrough(noResponse)
  await new Promise((resolve) => setTimeout(resolve, 500))

  const others = await Promise.all(Array.from({ length: 20 }, () => acme.member.get('/api/auth/me')))

  assert.ok(Date.now() - startedAt < 5_000)
  assert.ok(others.every(({ status }) => status === 200))
  const { rows } = await acme.sql(
    `select pid from pg_stat_activity where datname = current_database() and usename = 'app' and state like 'idle in%'`,
  )
  assert.deepEqual(rows, [])
  assert.equal(await pending, '#sso_error=provider_error')
  assert.ok(Date.now() - startedAt < 20_000)
})
