import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { countSessions, patchSsoSettings, ssoErrorOf, startSignOnApp } from './sso.fixture.ts'

const { acme, google, okta, newBrowser, startUrl, client, domain, tenant } = await startSignOnApp()

const known = (email: string, more: object = {}) => ({
  email,
  email_verified: true,
  name: 'From the provider',
  hd: email.split('@')[1]!.toLowerCase(),
  ...more,
})

test('identity-2-12 Google redirects to the main domain, and the workspace gets a one-time code in the URL fragment', async () => {
  google.people.set('ada', known(acme.member.email))
  const browser = newBrowser()

  const back = await browser.signOnUpToCallback(startUrl('google', '?return_to=/deals?open=1'), 'ada')
  assert.equal(back.host, domain)
  const callback = await browser.visit(back.href)
  assert.equal(callback.status, 302)
  const end = new URL(callback.location!)
  assert.equal(end.origin + end.pathname + end.search, `https://${acme.host}/auth/complete`)
  const { code = '', return_to, ...rest } = fragmentOf(end)
  assert.match(code, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(return_to, '/deals?open=1')
  assert.deepEqual(rest, {})

  const again = await newBrowser().followFrom(back)
  assert.equal(ssoErrorOf(again), 'flow_expired')
  const flipped = await client({ host: domain }).get(`${back.pathname}${flipLastByteOfState(back).search}`)
  assert.equal(flipped.status, 400)
  assert.equal(flipped.body.code, 'sso_state_invalid')
  assert.equal(flipped.headers.location, undefined)

  const otherBrowser = await newBrowser().exchange(acme.host, code)
  assert.equal(otherBrowser.status, 401)
  assert.equal(otherBrowser.body.code, 'invalid_code')

  const own = await browser.exchange(acme.host, code)
  assert.equal(own.status, 200)
  assert.equal(own.body.user.id, acme.member.userId)
  const me = await acme.bearer(`Bearer ${own.body.access_token}`).get('/api/auth/me')
  assert.equal(me.body.session.auth_method, 'google')
  assert.deepEqual(me.body.auth_methods, ['password', 'google'])
})

test('identity-2-13 an unverified email address is rejected, and so are unknown users without just-in-time provisioning', async () => {
  const unknown = 'unknown@elsewhere.example'
  const { verified: _, ...silent } = { verified: false, email: unknown, name: 'Silent' }
  google.people.set('silent', silent)
  google.people.set('unverified', { ...silent, email_verified: false })
  google.people.set('texty', { ...silent, email_verified: 'true' })
  google.people.set('without', { name: 'Without', email_verified: true })
  google.people.set('verified', { ...silent, email_verified: true, hd: 'elsewhere.example' })

  for (const login of ['silent', 'unverified', 'texty', 'without'])
    assert.equal(ssoErrorOf(await newBrowser().signOn(startUrl('google'), login)), 'email_unverified', login)
  assert.equal(ssoErrorOf(await newBrowser().signOn(startUrl('google'), 'verified')), 'account_not_found')

  const { rows } = await acme.sql('select id from identity.users where tenant_id = $1 and email_key = $2', [
    acme.id,
    unknown,
  ])
  assert.deepEqual(rows, [])
  const { rows: failures } = await acme.sql(
    `select distinct reason from identity.login_events where tenant_id = $1 and outcome = 'failure' order by 1`,
    [acme.id],
  )
  assert.deepEqual(failures, [{ reason: 'account_not_found' }, { reason: 'email_unverified' }])
})

test('Okta sign-in works on the workspace host and records login events', async () => {
  okta.people.set('grace', known(acme.manager.email))
  const browser = newBrowser()
  const before = (await acme.events()).length

  const end = await browser.signOn(startUrl('okta'), 'grace')
  const { code = '', return_to } = fragmentOf(end)
  assert.equal(return_to, '/')
  const { status, body, headers } = await browser.exchange(acme.host, code)

  assert.equal(status, 200)
  assert.deepEqual(body.user, {
    id: acme.manager.userId,
    email: acme.manager.email,
    name: acme.manager.name,
    role: 'manager',
  })
  assert.equal(headers['cache-control'], 'no-store')
  assert.match(headers['set-cookie'], /^__Host-sso_[0-9a-f]{8}=; Max-Age=0; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  assert.deepEqual((await acme.events()).slice(before), ['user.updated', 'session.created'])
  const { rows } = await acme.sql(
    'select method, outcome, session_id is not null as has_session from identity.login_events where user_id = $1',
    [acme.manager.userId],
  )
  assert.deepEqual(rows, [{ method: 'okta', outcome: 'success', has_session: true }])
  const refreshed = await acme.anonymous.post('/api/auth/refresh', { refresh_token: body.refresh_token })
  assert.equal(refreshed.status, 200)
})

test('a linked user is recognized after a change of the email address at the provider', async () => {
  google.people.set('moved', known(acme.viewer.email))
  await newBrowser().signOn(startUrl('google'), 'moved')
  google.people.set('moved', { email: 'new-name@elsewhere.example', name: 'Moved' })

  const browser = newBrowser()
  const { code = '' } = fragmentOf(await browser.signOn(startUrl('google'), 'moved'))
  const { body } = await browser.exchange(acme.host, code)

  assert.equal(body.user.id, acme.viewer.userId)
})

test('the Okta callback is accepted only on the host of the workspace that started the sign-in', async () => {
  const beta = await tenant()
  const back = await newBrowser().signOnUpToCallback(startUrl('okta'), 'grace')
  const path = `${back.pathname}${back.search}`

  const elsewhere = await beta.anonymous.get(path)
  const main = await client({ host: domain }).get(path)
  const asGoogle = await client({ host: domain }).get(path.replace('/okta/', '/google/'))

  assert.deepEqual([elsewhere.status, elsewhere.body.code], [400, 'sso_state_invalid'])
  assert.deepEqual([main.status, main.body.code], [404, 'tenant_not_found'])
  assert.deepEqual([asGoogle.status, asGoogle.body.code], [400, 'sso_state_invalid'])
})

test('a refusal at the provider redirects to the sign-in page without provider output', async () => {
  const { location } = await newBrowser().visit(startUrl('okta'))
  const state = new URL(location!).searchParams.get('state')!
  const refusal = new URLSearchParams({ state, error: 'access_denied', error_description: '<b>no & never</b>' })

  const { status, headers, text } = await acme.anonymous.get(`/api/auth/sso/okta/callback?${refusal}`)

  assert.equal(status, 302)
  assert.equal(headers.location, `https://${acme.host}/login#sso_error=access_denied`)
  assert.equal(text, '')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
})

test('just-in-time provisioning creates accounts for the allowed domains', async () => {
  await patchSsoSettings(
    acme.admin,
    { jit_provisioning: true, default_role: 'viewer' },
    {
      signup: { allowed_email_domains: ['new.example'] },
    },
  )
  google.people.set('new', known('Newcomer@new.example', { name: 'New \u0000\u202fComer' }))
  google.people.set('sub', known('x@sub.new.example'))
  const browser = newBrowser()

  const { code = '' } = fragmentOf(await browser.signOn(startUrl('google'), 'new'))
  const { body } = await browser.exchange(acme.host, code)
  const outside = await newBrowser().signOn(startUrl('google'), 'sub')

  assert.equal(body.user.role, 'viewer')
  assert.equal(body.user.email, 'Newcomer@new.example')
  assert.equal(body.email_verification_required, false)
  assert.equal(ssoErrorOf(outside), 'domain_not_allowed')
  const { rows } = await acme.sql(
    `select u.source, u.email_verified_at is not null as verified, c.password_hash
     from identity.users u join identity.user_credentials c on c.tenant_id = u.tenant_id and c.user_id = u.id where u.id = $1`,
    [body.user.id],
  )
  assert.deepEqual(rows, [{ source: 'google', verified: true, password_hash: null }])
  await patchSsoSettings(acme.admin, { jit_provisioning: false })
})

test('just-in-time provisioning with Google requires a list of domains', async () => {
  await patchSsoSettings(acme.admin, {}, { signup: { allowed_email_domains: [] } })
  google.people.set('stranger', known('stranger@elsewhere.example'))
  const enable = (sso: object) => acme.admin.patch('/api/admin/settings', { sso: { jit_provisioning: true, ...sso } })

  const rejected = await enable({})
  const enabled = await enable({ google: { allowed_hosted_domains: ['new.example'] } })
  // Simulates a setting that an earlier version has stored.
  await acme.sql(
    `update identity.tenant_settings set doc = doc || '{"google": {"enabled": true}}' where tenant_id = $1 and section = 'sso'`,
    [acme.id],
  )
  const stranger = await newBrowser().signOn(startUrl('google'), 'stranger')

  assert.deepEqual([rejected.status, rejected.body.errors[0].path], [422, '/sso/jit_provisioning'])
  assert.equal(enabled.status, 200)
  assert.equal(ssoErrorOf(stranger), 'domain_not_allowed')
  await patchSsoSettings(acme.admin, { jit_provisioning: false })
})

test('a workspace can require Google accounts of certain hosted domains', async () => {
  await patchSsoSettings(acme.admin, { google: { allowed_hosted_domains: ['acme.example'] } })
  google.people.set('private', known(acme.member.email, { hd: undefined }))
  google.people.set('other', known(acme.member.email, { hd: 'other.example' }))
  google.people.set('ada', known(acme.member.email, { hd: 'ACME.example' }))
  const before = await countSessions(acme, 'google')

  assert.equal(ssoErrorOf(await newBrowser().signOn(startUrl('google'), 'private')), 'domain_not_allowed')
  assert.equal(ssoErrorOf(await newBrowser().signOn(startUrl('google'), 'other')), 'domain_not_allowed')
  const managed = await newBrowser().signOn(startUrl('google'), 'ada')

  assert.equal(managed.pathname, '/auth/complete')
  assert.equal(await countSessions(acme, 'google'), before)
  await patchSsoSettings(acme.admin, { google: { allowed_hosted_domains: [] } })
})

test('a callback to a suspended or deleted workspace is rejected', async () => {
  const back = await newBrowser().signOnUpToCallback(startUrl('google'), 'ada')
  const openCallback = () => client({ host: domain }).get(`${back.pathname}${back.search}`)
  const set = (status: string, day: string | null) =>
    acme.sql('update identity.tenants set status = $2, delete_after = $3 where id = $1', [acme.id, status, day])

  await set('suspended', null)
  assert.equal((await openCallback()).body.code, 'tenant_suspended')
  await set('deleting', '2100-01-01')
  assert.equal((await openCallback()).body.code, 'tenant_not_found')
  await set('active', null)
  assert.equal((await openCallback()).status, 302)
})

function flipLastByteOfState(url: URL): URL {
  const flipped = new URL(url)
  const state = url.searchParams.get('state')!
  flipped.searchParams.set('state', state.slice(0, -2) + (state.at(-2) === 'A' ? 'B' : 'A') + state.at(-1))
  return flipped
}
