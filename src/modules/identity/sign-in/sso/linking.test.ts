import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password } from '#testing'
import { fragmentOf } from './browser.fixture.ts'
import { patchSsoSettings, ssoErrorOf, startSignOnApp } from './sso.fixture.ts'

const { acme, google, okta, newBrowser, startUrl } = await startSignOnApp()

type Provider = 'google' | 'okta'
const people = { google: google.people, okta: okta.people }

/** Signs in with the given claims and exchanges the code. The email address belongs to the organization of the account. */
async function signOn(provider: Provider, login: string, claims: { email: string; [name: string]: unknown }) {
  const hd = claims.email.split('@')[1]
  people[provider].set(login, { email_verified: true, name: login, hd, ...claims })
  const browser = newBrowser()
  const end = await browser.signOn(startUrl(provider), login)
  if (end.pathname === '/login') return { error: ssoErrorOf(end), body: undefined, status: 0 }
  const { status, body } = await browser.exchange(acme.host, fragmentOf(end).code!)
  return { status, body, error: undefined }
}

const set = (userId: string, fields: string) => acme.sql(`update identity.users set ${fields} where id = $1`, [userId])
const rowsOf = async (text: string, userId: string) => (await acme.sql(text, [userId])).rows

test('the owner of an unverified email address takes over the account, and earlier access is revoked', async () => {
  const squatter = await acme.person('member', { email: 'victim@elsewhere.example' })
  const key = await squatter.post('/api/api-keys', { name: 'Left behind', scopes: ['users.read'] })
  await set(squatter.userId, 'email_verified_at = null, must_change_password = true')

  const { status, body } = await signOn('google', 'victim', { email: 'Victim@Elsewhere.example' })

  assert.equal(status, 200)
  assert.equal(body.user.id, squatter.userId)
  assert.equal(body.must_change_password, false)
  assert.equal((await squatter.get('/api/auth/me')).body.code, 'token_revoked')
  assert.equal((await acme.bearer(`ApiKey ${key.body.key}`).get('/api/users/')).body.code, 'token_revoked')
  const login = await acme.anonymous.post('/api/auth/login', { email: squatter.email, password })
  assert.equal(login.status, 401)
  const me = await acme.bearer(`Bearer ${body.access_token}`).get('/api/auth/me')
  assert.deepEqual(me.body.auth_methods, ['google'])
  const actions = await rowsOf(
    'select action from platform.audit_log where resource_id = $1 order by id',
    squatter.userId,
  )
  assert.deepEqual(
    actions.map(({ action }) => action),
    ['user.password_removed', 'user.sso_linked', 'login.failed'],
  )
})

test('an account with a verified email address keeps its password and sessions', async () => {
  const owner = await acme.person('member')

  const { body } = await signOn('okta', 'owner', { email: owner.email })

  assert.equal(body.user.id, owner.userId)
  assert.equal((await owner.get('/api/auth/me')).status, 200)
  assert.equal((await acme.anonymous.post('/api/auth/login', { email: owner.email, password })).status, 200)
})

test('a deactivated user cannot sign in, whether linked or not', async () => {
  const former = await acme.person('member')
  await signOn('google', 'former', { email: former.email })
  const unlinked = await acme.person('member')
  for (const { userId } of [former, unlinked]) await set(userId, `status = 'deactivated', deactivated_at = now()`)

  assert.equal((await signOn('google', 'former', { email: former.email })).error, 'account_disabled')
  assert.equal((await signOn('google', 'unlinked', { email: unlinked.email })).error, 'account_disabled')
  assert.deepEqual(await rowsOf('select id from identity.user_identities where user_id = $1', unlinked.userId), [])
  const failures = await rowsOf(
    `select method, reason from identity.login_events where user_id = $1 and outcome = 'failure'`,
    unlinked.userId,
  )
  assert.deepEqual(failures, [{ method: 'google', reason: 'account_disabled' }])
})

test('signing in accepts an invitation', async () => {
  const invited = await acme.admin.post('/api/users/', { email: 'guest@elsewhere.example', name: 'Guest' })
  assert.equal(invited.status, 201)
  const before = (await acme.events()).length

  const { status, body } = await signOn('okta', 'guest', { email: 'guest@elsewhere.example' })

  assert.equal(status, 200)
  const user = (await acme.admin.get(`/api/users/${body.user.id}`)).body
  assert.equal(user.status, 'active')
  assert.deepEqual((await acme.events()).slice(before), ['user.activated', 'user.updated', 'session.created'])
  const open = await rowsOf(
    'select id from identity.one_time_tokens where user_id = $1 and used_at is null',
    body.user.id,
  )
  assert.deepEqual(open, [])
})

test('the same email address with another subject is a different account', async () => {
  const owner = await acme.person('member')
  await signOn('google', 'first-holder', { email: owner.email })

  const other = await signOn('google', 'second-holder', { email: owner.email })
  const byOkta = await signOn('okta', 'second-holder', { email: owner.email })

  assert.equal(other.error, 'account_not_found')
  assert.equal(byOkta.body.user.id, owner.userId)
})

test('unverified email addresses can be trusted for Okta but not for Google', async () => {
  const owner = await acme.person('member')
  const unverified = { email: owner.email, email_verified: false }
  assert.equal((await signOn('okta', 'trusted', unverified)).error, 'email_unverified')
  await patchSsoSettings(acme.admin, { okta: { trust_unverified_email: true } })

  assert.equal((await signOn('okta', 'trusted', unverified)).body.user.id, owner.userId)
  assert.equal((await signOn('google', 'trusted', unverified)).error, 'email_unverified')
  await patchSsoSettings(acme.admin, { okta: { trust_unverified_email: false } })
})

test('a Google account with an email address that Google does not host is not linked', async () => {
  const owner = await acme.person('manager')
  const { email } = owner

  assert.equal((await signOn('google', 'personal', { email, hd: undefined })).error, 'email_unverified')
  assert.equal((await signOn('google', 'elsewhere', { email, hd: 'elsewhere.example' })).error, 'email_unverified')
  assert.deepEqual(await rowsOf('select id from identity.user_identities where user_id = $1', owner.userId), [])
  const gmail = await acme.person('member', { email: `${owner.userId}@gmail.com` })
  assert.equal((await signOn('google', 'gmail', { email: gmail.email, hd: undefined })).body.user.id, gmail.userId)
})

test('enforcing single sign-on ends the sessions of users who signed in with a password, except admins', async () => {
  const [linked, unlinked] = [await acme.person('member'), await acme.person('manager')]
  const { body } = await signOn('okta', 'linked', { email: linked.email })
  const withSso = acme.bearer(`Bearer ${body.access_token}`)
  const before = (await acme.events()).length

  await patchSsoSettings(acme.admin, { enforced: true })

  const statusOf = async (caller: typeof withSso) => (await caller.get('/api/auth/me')).status
  assert.deepEqual([await statusOf(linked), await statusOf(unlinked)], [401, 401])
  assert.deepEqual([await statusOf(withSso), await statusOf(acme.admin)], [200, 200])
  const events = (await acme.events()).slice(before)
  assert.equal(events[0], 'settings.updated')
  assert.ok(events.length > 2 && events.slice(1).every((type) => type === 'session.revoked'), events.join())
  const reasons = await rowsOf(
    'select distinct revoke_reason from identity.sessions where user_id = $1',
    unlinked.userId,
  )
  assert.deepEqual(reasons, [{ revoke_reason: 'sso_enforced' }])
  await patchSsoSettings(acme.admin, { enforced: false })
})

test('while single sign-on is enforced, a password session of a former admin cannot be refreshed', async () => {
  const former = await acme.person('admin')
  await patchSsoSettings(acme.admin, { enforced: true })
  const refresh = async ({ refreshToken }: { refreshToken: string }) => {
    const { status, body } = await acme.anonymous.post('/api/auth/refresh', { refresh_token: refreshToken })
    return [status, body.code]
  }
  const admin = await acme.signIn(acme.admin.userId)
  assert.deepEqual(await refresh(admin), [200, undefined])
  await acme.admin.patch(`/api/users/${former.userId}`, { role: 'member' })

  assert.deepEqual(await refresh(former), [401, 'token_revoked'])

  assert.equal((await former.get('/api/auth/me')).status, 401)
  await patchSsoSettings(acme.admin, { enforced: false })
})

test('enforced single sign-on rejects passwords and accepts single sign-on', async () => {
  const owner = await acme.person('member')
  await patchSsoSettings(acme.admin, { enforced: true })

  const byPassword = await acme.anonymous.post('/api/auth/login', { email: owner.email, password })
  const { status } = await signOn('okta', 'enforced', { email: owner.email })

  assert.equal(byPassword.body.code, 'sso_required')
  assert.equal(status, 200)
  await patchSsoSettings(acme.admin, { enforced: false })
})

test('a sign-in from a new device sends a notice', async () => {
  const owner = await acme.person('member')
  const jobs = async () => (await acme.jobs()).filter((job) => job === 'identity.send_security_notice').length
  await signOn('okta', 'traveller', { email: owner.email })
  const before = await jobs()
  await acme.sql(`update identity.login_events set user_agent = 'Elsewhere/1' where user_id = $1`, [owner.userId])

  await signOn('okta', 'traveller', { email: owner.email })

  assert.equal(await jobs(), before + 1)
})
