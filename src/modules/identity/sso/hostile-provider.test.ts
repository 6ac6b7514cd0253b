import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { type Case, deceits } from './deceits.stand-in.ts'
import { startHostileProvider } from './hostile-provider.stand-in.ts'
import { change, countSessions, offerOkta } from './sso.fixture.ts'

const { tenant, clock } = await startTestApp({ SAFE_FETCH_ALLOW_PRIVATE: 'true' })
const provider = await startHostileProvider({ clientId: 'tributary', clientSecret: 'a secret of 32 bytes, or nearly.' })
const acme = await tenant()
await offerOkta(acme, { issuer: provider.issuerOf('first'), client: provider.client })

let count = 0

/** The whole way through a provider that does this. Where the browser ends. */
async function signOnThrough({ name: _, returned = {}, ...deceit }: Case, name = `case${++count}`): Promise<string> {
  provider.deceive(name, deceit)
  await change(acme.admin, { okta: { issuer: provider.issuerOf(name) } })
  const start = await acme.anonymous.get('/api/auth/sso/okta')
  assert.equal(start.status, 302)
  const { searchParams } = new URL(start.headers.location)
  const [state, nonce] = [searchParams.get('state'), searchParams.get('nonce')]
  if (!state || !nonce) return new URL(start.headers.location).hash
  provider.vouch(name, { nonce, email: acme.member.email, now: clock.now() })
  const query = new URLSearchParams({ state, code: 'code', ...(returned as Record<string, string>) })
  const back = await acme.anonymous.get(`/api/auth/sso/okta/callback?${query}`)
  assert.equal(back.status, 302, back.text)
  return new URL(back.headers.location).hash.replace(/code=.*/, 'code')
}

const refused = deceits.map((one) => one.name)

test('identity-2-14 no token that is not exactly right signs anybody in', async (t) => {
  for (const one of deceits)
    await t.test(one.name, async () => assert.equal(await signOnThrough(one), '#sso_error=provider_error'))

  assert.ok(refused.length >= 60, `${refused.length} cases`)
  assert.equal(new Set(refused).size, refused.length)
  assert.equal(await countSessions(acme, 'okta'), 0)
  const { rows } = await acme.sql('select id from identity.user_identities where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [])
  const { rows: codes } = await acme.sql('select id from identity.one_time_tokens where tenant_id = $1', [acme.id])
  assert.deepEqual(codes, [])
})

test('an honest provider is believed, whichever of the two ways it signs', async () => {
  assert.equal(await signOnThrough({ name: 'honest' }), '#code')
  const withCurve: Case = {
    name: 'honest with ES256',
    idToken: ({ sign, claims, keys }) => sign(claims, { alg: 'ES256', kid: 'ec' }, keys.ec.privateKey),
  }
  const other = await acme.person('member')
  acme.member = other
  assert.equal(await signOnThrough(withCurve), '#code')
  acme.member = await acme.person('member')
  const several: Case = {
    name: 'several audiences',
    idToken: ({ sign, claims }) => sign({ ...claims, aud: ['tributary', 'other'], azp: 'tributary' }),
  }
  assert.equal(await signOnThrough(several), '#code')
})

test('a provider may change its keys; they are asked for anew, though not more than once a minute', async () => {
  const askedForKeys = () => provider.asked.filter((one) => one === 'rotating keys').length
  acme.member = await acme.person('member')
  const rotated: Case = {
    name: 'rotated',
    idToken: ({ sign, claims, keys }) => sign(claims, { kid: 'new' }, keys.stranger.privateKey),
    keySet: ({ keys }) => ({ keys: [...keys, { ...provider.strangerJwk, kid: 'new' }] }),
  }
  assert.equal(await signOnThrough({ name: 'before' }, 'rotating'), '#code')
  assert.equal(await signOnThrough(rotated, 'rotating'), '#sso_error=provider_error')
  assert.equal(askedForKeys(), 1)

  clock.advance(61)

  assert.equal(await signOnThrough(rotated, 'rotating'), '#code')
  assert.equal(await signOnThrough(rotated, 'rotating'), '#code')
  assert.equal(askedForKeys(), 2)
})

test('a provider that is down, slow or talks nonsense at the start sends people back to the sign-in page', async (t) => {
  const cases: Case[] = [
    { name: 'down', discovery: (response) => response.destroy() },
    { name: 'a failure', discovery: (response) => response.writeHead(500).end() },
    { name: 'nonsense', discovery: (response) => response.end('nonsense') },
    { name: 'a redirect', discovery: (response) => response.writeHead(302, { location: '/' }).end() },
    { name: 'too much', discovery: (response) => response.end(Buffer.alloc(2_000_000, ' ')) },
  ]
  for (const one of cases)
    await t.test(one.name, async () => assert.equal(await signOnThrough(one), '#sso_error=provider_error'))
  await change(acme.admin, { okta: { issuer: 'http://127.0.0.1:1/' } })
  const { headers } = await acme.anonymous.get('/api/auth/sso/okta')
  assert.equal(headers.location, `https://${acme.host}/login#sso_error=provider_error`)
  assert.equal(headers['set-cookie'], undefined)
})

test('a provider that keeps silent is given up, and holds nobody else up meanwhile', async () => {
  const silence: Case = { name: 'silence', token: () => {} }
  const began = Date.now()
  const waiting = signOnThrough(silence)
  await new Promise((resolve) => setTimeout(resolve, 500))

  const others = await Promise.all(Array.from({ length: 20 }, () => acme.member.get('/api/auth/me')))

  assert.ok(Date.now() - began < 5_000)
  assert.ok(others.every(({ status }) => status === 200))
  const { rows } = await acme.sql(
    `select pid from pg_stat_activity where datname = current_database() and usename = 'app' and state like 'idle in%'`,
  )
  assert.deepEqual(rows, [])
  assert.equal(await waiting, '#sso_error=provider_error')
  assert.ok(Date.now() - began < 20_000)
})
