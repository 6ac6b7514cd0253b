import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { enableOkta, patchSsoSettings, startSignOnApp } from './sso.fixture.ts'

const { acme, okta, newBrowser, startUrl, tenant, clock } = await startSignOnApp()

const flowOf = async (state: string) => {
  const { f } = JSON.parse(Buffer.from(state.split('.')[1]!, 'base64url').toString())
  return (await acme.sql('select * from identity.sso_flows where id = $1', [f])).rows[0]
}

test('the authorization URL contains state, nonce and PKCE challenge of the stored flow', async () => {
  const { status, location, cookies } = await newBrowser().visit(startUrl('okta', '?return_to=/leads'))

  assert.equal(status, 302)
  const url = new URL(location!)
  assert.equal(url.origin, okta.issuer)
  const { state = '', nonce, code_challenge, ...rest } = Object.fromEntries(url.searchParams)
  assert.deepEqual(rest, {
    client_id: 'tributary',
    response_type: 'code',
    scope: 'openid email profile',
    redirect_uri: `https://${acme.host}/api/auth/sso/okta/callback`,
    code_challenge_method: 'S256',
  })
  const flow = await flowOf(state)
  assert.equal(flow.nonce, nonce)
  assert.equal(createHash('sha256').update(flow.code_verifier).digest('base64url'), code_challenge)
  assert.equal(flow.intent, 'login')
  assert.equal(flow.return_to, '/leads')
  const [, name, secret = ''] = /^(.+?)=(.+?); (.*)$/.exec(cookies[0]!)!
  assert.equal(name, `__Host-sso_${flow.id.slice(-8)}`)
  assert.match(cookies[0]!, /; Max-Age=660; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  assert.deepEqual(createHash('sha256').update(secret).digest(), flow.browser_hash)
})

test('the state is a signed token for this workspace and flow, valid for ten minutes', async () => {
  const { location } = await newBrowser().visit(startUrl('google'))
  const state = new URL(location!).searchParams.get('state')!
  const [header, payload] = state.split('.', 2).map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))

  assert.equal(header.typ, 'sso-state+jwt')
  assert.deepEqual(Object.keys(payload).sort(), ['exp', 'f', 'iss', 'p', 't'])
  assert.deepEqual([payload.t, payload.p], [acme.slug, 'google'])
  assert.ok(Math.abs(payload.exp - clock.now().getTime() / 1_000 - 600) < 5)
  const asToken = await acme.bearer(`Bearer ${state}`).get('/api/auth/me')
  assert.deepEqual([asToken.status, asToken.body.code], [401, 'invalid_token'])
})

test('a callback without a valid signed state is rejected', async () => {
  const tokens = [
    '',
    '?state=',
    '?state=abc',
    `?state=${acme.member.accessToken}`,
    `?state=${acme.member.refreshToken}`,
    '?code=x',
    '?error=access_denied',
  ]
  for (const query of tokens) {
    for (const provider of ['google', 'okta']) {
      const { status, body } = await acme.anonymous.get(`/api/auth/sso/${provider}/callback${query}`)
      assert.deepEqual([status, body.code], [400, 'sso_state_invalid'], `${provider} ${query}`)
    }
  }
})

test('return_to must be a path in the workspace', async () => {
  const bad = [
    '//evil.example',
    'https://evil.example',
    'leads',
    '/\\evil.example',
    '/a//b',
    '/a\tb',
    `/${'x'.repeat(512)}`,
    '',
  ]
  for (const path of bad) {
    const { status } = await acme.anonymous.get(`/api/auth/sso/okta?return_to=${encodeURIComponent(path)}`)
    assert.equal(status, 422, path)
  }
  const good = await acme.anonymous.get(
    `/api/auth/sso/okta?return_to=${encodeURIComponent('/leads?x=1#top')}&utm_source=mail`,
  )
  assert.equal(good.status, 302)
  assert.equal((await acme.anonymous.get('/api/auth/sso/okta?prompt=none')).status, 422)
})

test('prompt=login requires a new authentication at the provider', async () => {
  const { location } = await newBrowser().visit(startUrl('okta', '?prompt=login'))
  const { searchParams } = new URL(location!)

  assert.equal(searchParams.get('prompt'), 'login')
  assert.equal(searchParams.get('max_age'), '0')
  assert.equal((await flowOf(searchParams.get('state')!)).intent, 'reauthenticate')
})

test('a provider that is not configured returns 404', async () => {
  const beta = await tenant()
  for (const provider of ['google', 'okta']) {
    const { status, body } = await beta.anonymous.get(`/api/auth/sso/${provider}`)
    assert.deepEqual([status, body.code], [404, 'sso_not_configured'])
  }
  await enableOkta(beta, okta)
  await patchSsoSettings(beta.admin, { okta: { enabled: false } })
  assert.equal((await beta.anonymous.get('/api/auth/sso/okta')).status, 404)
})

test('a sign-in that takes more than ten minutes is rejected', async () => {
  const back = await newBrowser().signOnUpToCallback(startUrl('okta'), 'late')
  clock.advance(606)

  const { status, body } = await acme.anonymous.get(`${back.pathname}${back.search}`)

  assert.deepEqual([status, body.code], [400, 'sso_state_invalid'])
})
