import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, startTestApp } from '#testing'

const app = await startTestApp()
const chosen = 'seven green bicycles'

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const change = (person: Tenant['member'], fields: Record<string, unknown> = {}) =>
  person.post('/api/auth/change-password', { current_password: password, new_password: chosen, ...fields })
const refresh = (acme: Tenant, token: string) => acme.anonymous.post('/api/auth/refresh', { refresh_token: token })

test('identity-2-6 a password change revokes all sessions except that of the caller', async () => {
  const acme = await app.tenant()
  const { member } = acme
  const other = await acme.signIn(member.userId)

  const response = await change(member)

  assert.equal(response.status, 200, response.text)
  assert.equal(response.body.sessions_revoked, 2)
  assert.equal(response.body.api_keys_revoked, 0)
  for (const old of [member, other]) {
    assert.equal((await old.get('/api/auth/me')).body.code, 'token_revoked')
    assert.equal((await refresh(acme, old.refreshToken)).body.code, 'token_revoked')
  }
  assert.equal((await acme.bearer(`Bearer ${response.body.access_token}`).get('/api/auth/me')).status, 200)
  assert.equal((await refresh(acme, response.body.refresh_token)).status, 200)
  const login = (passwordText: string) =>
    acme.anonymous.post('/api/auth/login', { email: member.email, password: passwordText })
  assert.equal((await login(password)).status, 401)
  assert.equal((await login(chosen)).status, 200)
  assert.ok((await acme.events()).includes('user.password_changed'))
  assert.ok((await acme.audit()).includes('user.password_changed'))
  await app.startTestWorker()
  const [mail] = await app.mails(member.email, 1)
  assert.match(mail!.subject!, /password was changed/)
})

test('identity-2-10 a user who must change the password can only do that and sign out', async () => {
  const acme = await app.tenant()
  const { member } = acme
  await acme.sql('update identity.users set must_change_password = true where id = $1', [member.userId])

  const rejected = await member.get('/api/users/')
  const me = await member.get('/api/auth/me')
  const refreshed = await refresh(acme, member.refreshToken)
  const other = await acme.signIn(member.userId)
  const loggedOut = await other.post('/api/auth/logout')
  const changed = await change(member)

  assert.equal(rejected.status, 403)
  assert.equal(rejected.body.code, 'password_change_required')
  assert.equal(me.body.must_change_password, true)
  assert.equal(refreshed.body.must_change_password, true)
  assert.equal(loggedOut.status, 200)
  assert.equal(changed.status, 200)
  assert.equal(changed.body.must_change_password, false)
  const { access_token } = changed.body
  assert.equal((await acme.bearer(`Bearer ${access_token}`).get('/api/users/')).status, 200)
})

test('the current password can be guessed five times', async () => {
  const acme = await app.tenant()

  const responses = []
  for (let guess = 0; guess < 6; guess++)
    responses.push(await change(acme.member, { current_password: `guess number ${guess}` }))
  const right = await change(acme.member)
  app.clock.advance(15 * 60 + 1)
  const again = await acme.signIn(acme.member.userId)
  const body = { current_password: password, new_password: chosen }
  const later = await again.post('/api/auth/change-password', body)

  assert.deepEqual(
    responses.map(({ status }) => status),
    [422, 422, 422, 422, 422, 429],
  )
  assert.deepEqual(responses[0]!.body.errors, [
    { in: 'body', path: '/current_password', code: 'mismatch', message: 'The current password is incorrect.' },
  ])
  assert.equal(right.status, 429)
  assert.equal(later.status, 200)
})

test('weak passwords are rejected with a reason', async () => {
  const acme = await app.tenant({ slug: 'northwind', name: 'Northwind Traders' })
  const { member } = acme

  const codeFor = async (new_password: string) => (await change(member, { new_password })).body.errors?.[0]?.code

  assert.equal(await codeFor('short'), 'minLength')
  assert.equal(await codeFor('x'.repeat(129)), 'maxLength')
  assert.equal(await codeFor('Password1234'), 'common_password')
  assert.equal(await codeFor('my NORTHWIND login'), 'contextual_password')
  assert.equal(await codeFor(`${member.email.split('@')[0]}!!`), 'contextual_password')
  assert.equal(await codeFor(password), 'unchanged')
  assert.equal((await member.get('/api/auth/me')).status, 200)
})

test('API keys are kept unless their revocation is requested', async () => {
  const acme = await app.tenant()
  const key = async (name: string, token: string) =>
    (await acme.bearer(`Bearer ${token}`).post('/api/api-keys', { name, scopes: ['crm.read'] })).body.key
  const first = await key('First', acme.member.accessToken)
  const me = () => acme.bearer(`ApiKey ${first}`).get('/api/auth/me')

  const { access_token } = (await change(acme.member)).body
  const kept = await me()
  const again = await acme.bearer(`Bearer ${access_token}`).post('/api/auth/change-password', {
    current_password: chosen,
    new_password: 'nine yellow tractors',
    revoke_api_keys: true,
  })
  const revoked = await me()

  assert.equal(kept.status, 200)
  assert.equal(again.body.api_keys_revoked, 1)
  assert.equal(revoked.body.code, 'token_revoked')
})

test('one of two concurrent password changes succeeds', async () => {
  const acme = await app.tenant()
  const second = await acme.signIn(acme.member.userId)

  const responses = await Promise.all([
    change(acme.member, { new_password: 'the first new password' }),
    second.post('/api/auth/change-password', { current_password: password, new_password: 'the second new password' }),
  ])

  const winners = responses.filter(({ status }) => status === 200)
  assert.equal(winners.length, 1, responses.map(({ text }) => text).join('\n'))
  const token = winners[0]!.body.access_token
  assert.equal((await acme.bearer(`Bearer ${token}`).get('/api/auth/me')).status, 200)
})

test('a user without a password cannot change it', async () => {
  const acme = await app.tenant()
  await acme.sql('update identity.user_credentials set password_hash = null where user_id = $1', [acme.member.userId])

  const response = await change(acme.member)

  assert.equal(response.status, 409)
})
