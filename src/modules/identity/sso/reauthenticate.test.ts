import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fragmentOf } from './browser.fixture.ts'
import { countSessions, startSignOnApp } from './sso.fixture.ts'

const { acme, okta, newBrowser, startUrl, clock } = await startSignOnApp()

async function arrive(email: string, query = '?prompt=login') {
  okta.people.set(email, { email, email_verified: true })
  const browser = newBrowser()
  const { code = '' } = fragmentOf(await browser.signOn(startUrl('okta', query), email))
  return { exchange: (headers = {}) => browser.exchange(acme.host, code, headers) }
}

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
const refused = (answer: { status: number; body: { code: string } }) => [answer.status, answer.body.code]

/** A settings change that wants a fresh sign-in. */
const sensitive = (who: typeof acme.admin) =>
  who.patch('/api/admin/settings', { security: { password_min_length: 13 } })

test('confirming who one is renews the session one has, and opens no other', async () => {
  const admin = await acme.person('admin')
  const stays = await acme.signIn(admin.userId)
  const before = await countSessions(acme, 'okta')
  await acme.sql(`update identity.sessions set authenticated_at = now() - interval '1 hour' where user_id = $1`, [
    admin.userId,
  ])
  assert.deepEqual(refused(await sensitive(admin)), [403, 'reauthentication_required'])

  const { exchange } = await arrive(admin.email)
  const { status, body } = await exchange(bearer(admin.accessToken))

  assert.equal(status, 200)
  assert.equal(body.refresh_token, admin.refreshToken)
  assert.equal(await countSessions(acme, 'okta'), before)
  assert.equal((await sensitive(admin)).status, 200)
  assert.deepEqual(refused(await sensitive({ ...admin, ...stays })), [403, 'reauthentication_required'])
  const me = await acme.bearer(`Bearer ${body.access_token}`).get('/api/auth/me')
  assert.equal(me.body.session.id, admin.sessionId)
  assert.equal(me.body.session.auth_method, 'password')
  assert.ok((await acme.audit()).includes('session.reauthenticated'))
})

test('somebody else at the provider confirms nothing', async () => {
  const { rows } = await acme.sql('select authenticated_at from identity.sessions where id = $1', [
    acme.member.sessionId,
  ])
  const { exchange } = await arrive(acme.viewer.email)

  assert.deepEqual(refused(await exchange(bearer(acme.member.accessToken))), [401, 'invalid_code'])

  const after = await acme.sql('select authenticated_at from identity.sessions where id = $1', [acme.member.sessionId])
  assert.deepEqual(after.rows, rows)
})

test('a token that is not good is refused, and the code stays good for the right one', async () => {
  const ended = await acme.signIn(acme.member.userId)
  await ended.post('/api/auth/logout')
  const { exchange } = await arrive(acme.member.email)

  assert.deepEqual(refused(await exchange(bearer(ended.accessToken))), [401, 'token_revoked'])
  assert.deepEqual(refused(await exchange(bearer('nonsense'))), [401, 'invalid_token'])
  assert.equal((await exchange(bearer(acme.member.accessToken))).status, 200)
})

test('an API key is nobody who could confirm anything', async () => {
  const key = await acme.member.post('/api/api-keys', { name: 'Key', scopes: ['users.read'] })
  const { exchange } = await arrive(acme.member.email)

  assert.deepEqual(refused(await exchange({ authorization: `ApiKey ${key.body.key}` })), [403, 'session_required'])
})

test('an admin who acts as somebody else cannot confirm in their name', async () => {
  const asMember = await acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, { reason: 'Looking into it' })
  assert.equal(asMember.status, 201, asMember.text)
  const { exchange } = await arrive(acme.member.email)

  const answer = await exchange(bearer(asMember.body.access_token))

  assert.deepEqual(refused(answer), [403, 'impersonation_not_allowed'])
})

test('without a session it is a sign-in like any other', async () => {
  const before = await countSessions(acme, 'okta')
  const { exchange } = await arrive(acme.member.email)

  const { status, body } = await exchange()

  assert.equal(status, 200)
  assert.equal(body.user.id, acme.member.userId)
  assert.equal(await countSessions(acme, 'okta'), before + 1)
})

test('a plain sign-on opens a session of its own, whoever is signed in already', async () => {
  const before = await countSessions(acme, 'okta')
  const { exchange } = await arrive(acme.viewer.email, '')

  const { body } = await exchange(bearer(acme.member.accessToken))

  assert.equal(body.user.id, acme.viewer.userId)
  assert.equal(await countSessions(acme, 'okta'), before + 1)
})

test('a provider that lets people through without asking again confirms nothing', async () => {
  const browser = newBrowser()
  const email = acme.member.email
  okta.people.set(email, { email, email_verified: true })
  await browser.signOn(startUrl('okta'), email)
  clock.advance(60)
  const { location } = await browser.visit(startUrl('okta', '?prompt=login'))
  const tampered = new URL(location!)
  tampered.searchParams.delete('prompt')
  tampered.searchParams.delete('max_age')

  const end = await browser.goOn(tampered)

  assert.equal(fragmentOf(end).sso_error, 'provider_error')
})
