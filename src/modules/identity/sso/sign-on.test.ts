import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { change, countSessions, errorAt, startSignOnApp } from './sso.fixture.ts'

const { acme, google, okta, newBrowser, startUrl, client, domain, tenant } = await startSignOnApp()

const known = (email: string, more: object = {}) => ({ email, email_verified: true, name: 'From elsewhere', ...more })

test('identity-2-12 Google sends people back to the main domain, and the workspace gets a code behind the # once', async () => {
  google.people.set('ada', known(acme.member.email))
  const browser = newBrowser()

  const back = await browser.signOnUpToCallback(startUrl('google', '?return_to=/deals?open=1'), 'ada')
  assert.equal(back.host, domain)
  const arrived = await browser.visit(back.href)
  assert.equal(arrived.status, 302)
  const end = new URL(arrived.location!)
  assert.equal(end.origin + end.pathname + end.search, `https://${acme.host}/auth/complete`)
  const { code = '', return_to, ...rest } = fragmentOf(end)
  assert.match(code, /^[A-Za-z0-9_-]{43}$/)
  assert.equal(return_to, '/deals?open=1')
  assert.deepEqual(rest, {})

  const again = await newBrowser().goOn(back)
  assert.equal(errorAt(again), 'flow_expired')
  const flipped = await client({ host: domain }).get(`${back.pathname}${flipLastByteOfState(back).search}`)
  assert.equal(flipped.status, 400)
  assert.equal(flipped.body.code, 'sso_state_invalid')
  assert.equal(flipped.headers.location, undefined)

  const stranger = await newBrowser().exchange(acme.host, code)
  assert.equal(stranger.status, 401)
  assert.equal(stranger.body.code, 'invalid_code')

  const own = await browser.exchange(acme.host, code)
  assert.equal(own.status, 200)
  assert.equal(own.body.user.id, acme.member.userId)
  const me = await acme.bearer(`Bearer ${own.body.access_token}`).get('/api/auth/me')
  assert.equal(me.body.session.auth_method, 'google')
  assert.deepEqual(me.body.auth_methods, ['password', 'google'])
})

test('identity-2-13 an address nobody vouches for opens nothing, and without just-in-time accounts strangers stay out', async () => {
  const unknown = 'nobody@elsewhere.example'
  const { verified: _, ...silent } = { verified: false, email: unknown, name: 'Silent' }
  google.people.set('silent', silent)
  google.people.set('unverified', { ...silent, email_verified: false })
  google.people.set('texty', { ...silent, email_verified: 'true' })
  google.people.set('without', { name: 'Without', email_verified: true })
  google.people.set('verified', { ...silent, email_verified: true })

  for (const login of ['silent', 'unverified', 'texty', 'without'])
    assert.equal(errorAt(await newBrowser().signOn(startUrl('google'), login)), 'email_unverified', login)
  assert.equal(errorAt(await newBrowser().signOn(startUrl('google'), 'verified')), 'account_not_found')

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

test('Okta signs people in on the host of their workspace, and leaves the traces of a sign-in', async () => {
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

test('whoever was known by the identity stays the same person, whatever the address is now', async () => {
  google.people.set('moved', known(acme.viewer.email))
  await newBrowser().signOn(startUrl('google'), 'moved')
  google.people.set('moved', { email: 'new-name@elsewhere.example', name: 'Moved' })

  const browser = newBrowser()
  const { code = '' } = fragmentOf(await browser.signOn(startUrl('google'), 'moved'))
  const { body } = await browser.exchange(acme.host, code)

  assert.equal(body.user.id, acme.viewer.userId)
})

test('the way back from Okta is open on the host of the workspace that started it, and on no other', async () => {
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

test('whoever says no at the provider comes back to the sign-in page, and nothing of what was said is shown', async () => {
  const { location } = await newBrowser().visit(startUrl('okta'))
  const state = new URL(location!).searchParams.get('state')!
  const said = new URLSearchParams({ state, error: 'access_denied', error_description: '<b>no & never</b>' })

  const { status, headers, text } = await acme.anonymous.get(`/api/auth/sso/okta/callback?${said}`)

  assert.equal(status, 302)
  assert.equal(headers.location, `https://${acme.host}/login#sso_error=access_denied`)
  assert.equal(text, '')
  assert.equal(headers['cache-control'], 'no-store')
  assert.equal(headers['referrer-policy'], 'no-referrer')
})

test('a first sign-on makes an account where the workspace wants it, for the domains it lists', async () => {
  await change(
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
  assert.equal(errorAt(outside), 'domain_not_allowed')
  const { rows } = await acme.sql(
    `select u.source, u.email_verified_at is not null as verified, c.password_hash
     from identity.users u join identity.user_credentials c on c.tenant_id = u.tenant_id and c.user_id = u.id where u.id = $1`,
    [body.user.id],
  )
  assert.deepEqual(rows, [{ source: 'google', verified: true, password_hash: null }])
  await change(acme.admin, { jit_provisioning: false })
})

test('a workspace can want accounts that a company manages at Google', async () => {
  await change(acme.admin, { google: { allowed_hosted_domains: ['acme.example'] } })
  google.people.set('private', known(acme.member.email))
  google.people.set('other', known(acme.member.email, { hd: 'other.example' }))
  google.people.set('ada', known(acme.member.email, { hd: 'ACME.example' }))
  const before = await countSessions(acme, 'google')

  assert.equal(errorAt(await newBrowser().signOn(startUrl('google'), 'private')), 'domain_not_allowed')
  assert.equal(errorAt(await newBrowser().signOn(startUrl('google'), 'other')), 'domain_not_allowed')
  const managed = await newBrowser().signOn(startUrl('google'), 'ada')

  assert.equal(managed.pathname, '/auth/complete')
  assert.equal(await countSessions(acme, 'google'), before)
  await change(acme.admin, { google: { allowed_hosted_domains: [] } })
})

test('a workspace that is suspended, or gone, takes nobody back', async () => {
  const back = await newBrowser().signOnUpToCallback(startUrl('google'), 'ada')
  const goBack = () => client({ host: domain }).get(`${back.pathname}${back.search}`)
  const set = (status: string, day: string | null) =>
    acme.sql('update identity.tenants set status = $2, delete_after = $3 where id = $1', [acme.id, status, day])

  await set('suspended', null)
  assert.equal((await goBack()).body.code, 'tenant_suspended')
  await set('deleting', '2100-01-01')
  assert.equal((await goBack()).body.code, 'tenant_not_found')
  await set('active', null)
  assert.equal((await goBack()).status, 302)
})

function flipLastByteOfState(url: URL): URL {
  const flipped = new URL(url)
  const state = url.searchParams.get('state')!
  flipped.searchParams.set('state', state.slice(0, -2) + (state.at(-2) === 'A' ? 'B' : 'A') + state.at(-1))
  return flipped
}
