import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { countSessions, startSignOnApp } from './sso.fixture.ts'

const { acme, okta, newBrowser, startUrl, clock } = await startSignOnApp()

async function signInUpToCode(email: string, query = '?prompt=login') {
  okta.people.set(email, { email, email_verified: true })
  const browser = newBrowser()
  const { code = '' } = fragmentOf(await browser.signOn(startUrl('okta', query), email))
  return { exchange: (headers = {}) => browser.exchange(acme.host, code, headers) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const errorOf = (response: { status: number; body: { code: string } }) => [response.status, response.body.code]

/** A settings change that requires a recent sign-in. */
const changeSecuritySettings = (user: typeof acme.admin) =>
  user.patch('/api/admin/settings', { security: { password_min_length: 13 } })

test('reauthentication renews the current session and creates no other', async () => {
  const admin = await acme.person('admin')
  const otherSession = await acme.signIn(admin.userId)
  const before = await countSessions(acme, 'okta')
  await acme.sql(`update identity.sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`, [
    admin.userId,
  ])
  assert.deepEqual(errorOf(await changeSecuritySettings(admin)), [403, 'reauthentication_required'])

  const { exchange } = await signInUpToCode(admin.email)
  const { status, body } = await exchange(bearer(admin.accessToken))

  assert.equal(status, 200)
  assert.equal(body.refresh_token, admin.refreshToken)
  assert.equal(await countSessions(acme, 'okta'), before)
  assert.equal((await changeSecuritySettings(admin)).status, 200)
  assert.deepEqual(errorOf(await changeSecuritySettings({ ...admin, ...otherSession })), [
    403,
    'reauthentication_required',
  ])
  const me = await acme.bearer(`Bearer ${body.access_token}`).get('/api/auth/me')
  assert.equal(me.body.session.id, admin.sessionId)
  assert.equal(me.body.session.auth_method, 'password')
  assert.ok((await acme.audit()).includes('session.reauthenticated'))
})

test('a different user at the provider cannot reauthenticate the session', async () => {
  const { rows } = await acme.sql('select authenticated_at from identity.sessions where id = $1', [
    acme.member.sessionId,
  ])
  const { exchange } = await signInUpToCode(acme.viewer.email)

  assert.deepEqual(errorOf(await exchange(bearer(acme.member.accessToken))), [401, 'invalid_code'])

  const after = await acme.sql('select authenticated_at from identity.sessions where id = $1', [acme.member.sessionId])
  assert.deepEqual(after.rows, rows)
})

test('an invalid access token is rejected, and the code stays valid for the right one', async () => {
  const signedOut = await acme.signIn(acme.member.userId)
  await signedOut.post('/api/auth/logout')
  const { exchange } = await signInUpToCode(acme.member.email)

  assert.deepEqual(errorOf(await exchange(bearer(signedOut.accessToken))), [401, 'token_revoked'])
  assert.deepEqual(errorOf(await exchange(bearer('nonsense'))), [401, 'invalid_token'])
  assert.equal((await exchange(bearer(acme.member.accessToken))).status, 200)
})

test('an API key cannot reauthenticate', async () => {
  const key = await acme.member.post('/api/api-keys', { name: 'Key', scopes: ['users.read'] })
  const { exchange } = await signInUpToCode(acme.member.email)

  assert.deepEqual(errorOf(await exchange({ authorization: `ApiKey ${key.body.key}` })), [403, 'session_required'])
})

test('an impersonating admin cannot reauthenticate', async () => {
  const asMember = await acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, { reason: 'Looking into it' })
  assert.equal(asMember.status, 201, asMember.text)
  const { exchange } = await signInUpToCode(acme.member.email)

  const response = await exchange(bearer(asMember.body.access_token))

  assert.deepEqual(errorOf(response), [403, 'impersonation_not_allowed'])
})

test('without a session, reauthentication is a normal sign-in', async () => {
  const before = await countSessions(acme, 'okta')
  const { exchange } = await signInUpToCode(acme.member.email)

  const { status, body } = await exchange()

  assert.equal(status, 200)
  assert.equal(body.user.id, acme.member.userId)
  assert.equal(await countSessions(acme, 'okta'), before + 1)
})

test('a sign-in without prompt creates a new session, even with an access token', async () => {
  const before = await countSessions(acme, 'okta')
  const { exchange } = await signInUpToCode(acme.viewer.email, '')

  const { body } = await exchange(bearer(acme.member.accessToken))

  assert.equal(body.user.id, acme.viewer.userId)
  assert.equal(await countSessions(acme, 'okta'), before + 1)
})

test('a provider that does not authenticate the user again cannot renew the session', async () => {
  const browser = newBrowser()
  const email = acme.member.email
  okta.people.set(email, { email, email_verified: true })
  await browser.signOn(startUrl('okta'), email)
  clock.advance(60)
  const { location } = await browser.visit(startUrl('okta', '?prompt=login'))
  const tampered = new URL(location!)
  tampered.searchParams.delete('prompt')
  tampered.searchParams.delete('max_age')

  const end = await browser.followFrom(tampered)

  assert.equal(fragmentOf(end).sso_error, 'provider_error')
})
