import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, startTestApp } from '#testing'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const refresh = (acme: Tenant, token: string) => acme.anonymous.post('/api/auth/refresh', { refresh_token: token })
const me = (acme: Tenant, accessToken: string) => acme.bearer(`Bearer ${accessToken}`).get('/api/auth/me')

test('identity-2-3 two parallel refreshes with the same token return the same valid successor', async () => {
  const acme = await app.tenant()

  const [one, other] = await Promise.all([
    refresh(acme, acme.member.refreshToken),
    refresh(acme, acme.member.refreshToken),
  ])

  assert.deepEqual([one.status, other.status], [200, 200], one.text + other.text)
  assert.equal(one.body.refresh_token, other.body.refresh_token)
  assert.notEqual(one.body.refresh_token, acme.member.refreshToken)
  const next = await refresh(acme, one.body.refresh_token)
  assert.equal(next.status, 200)
  assert.equal((await me(acme, one.body.access_token)).status, 200)
  assert.equal((await me(acme, next.body.access_token)).status, 200)
})

test('twenty parallel refreshes create one successor', async () => {
  const acme = await app.tenant()

  const responses = await Promise.all(Array.from({ length: 20 }, () => refresh(acme, acme.member.refreshToken)))

  assert.equal(new Set(responses.map(({ body }) => body.refresh_token)).size, 1)
  const tokens = await acme.sql('select seq from identity.refresh_tokens where session_id = $1', [
    acme.member.sessionId,
  ])
  assert.equal(tokens.rowCount, 2)
})

test('identity-2-4 reusing a token after the grace period revokes its session and no other', async () => {
  const acme = await app.tenant()
  const { userId, refreshToken: first, accessToken } = acme.member
  const second = (await refresh(acme, first)).body
  const elsewhere = await acme.signIn(userId)
  app.clock.advance(5)
  const within = await refresh(acme, first)
  app.clock.advance(6)

  const replayed = await refresh(acme, first)

  assert.equal(within.status, 200)
  assert.equal(within.body.refresh_token, second.refresh_token)
  assert.equal(replayed.status, 401)
  assert.equal(replayed.body.code, 'token_revoked')
  for (const token of [accessToken, second.access_token, within.body.access_token])
    assert.equal((await me(acme, token)).body.code, 'token_revoked')
  assert.equal((await refresh(acme, second.refresh_token)).body.code, 'token_revoked')
  assert.equal((await elsewhere.get('/api/auth/me')).status, 200)
  assert.equal((await refresh(acme, elsewhere.refreshToken)).status, 200)
})

test('a token whose successor was used is a replay even within the grace period, and the user is notified', async () => {
  const acme = await app.tenant()
  const { email, userId, sessionId, refreshToken: first } = acme.member
  const second = (await refresh(acme, first)).body.refresh_token
  await refresh(acme, second)

  const replayed = await refresh(acme, first)

  assert.equal(replayed.body.code, 'token_revoked')
  assert.deepEqual(await acme.events(), ['session.revoked', 'session.reuse_detected'])
  const history = await acme.sql('select outcome, reason, session_id from identity.login_events where user_id = $1', [
    userId,
  ])
  assert.deepEqual(history.rows, [{ outcome: 'failure', reason: 'refresh_reuse', session_id: sessionId }])
  await app.startTestWorker()
  const [mail] = await app.mails(email, 1)
  assert.match(mail!.subject!, /signed out/)
})

test('an idle session expires and a refresh cannot extend it past its maximum lifetime', async () => {
  const acme = await app.tenant()
  const [idle, used] = [acme.member, acme.viewer]
  const token = { used: used.refreshToken }
  for (let days = 0; days < 13; days++) {
    app.clock.advance(86_400 - 1)
    const { body } = await refresh(acme, token.used)
    token.used = body.refresh_token
  }
  app.clock.advance(86_400 + 60)
  const [idleAnswer, usedAnswer] = [await refresh(acme, idle.refreshToken), await refresh(acme, token.used)]
  app.clock.advance(13 * 86_400)
  const late = await refresh(acme, usedAnswer.body.refresh_token)
  app.clock.advance(3 * 86_400 + 60)
  const over = await refresh(acme, late.body.refresh_token)

  assert.equal(idleAnswer.status, 401)
  assert.equal(idleAnswer.body.code, 'token_expired')
  assert.equal(usedAnswer.status, 200)
  assert.equal(late.status, 200)
  assert.ok(late.body.refresh_expires_in < 4 * 86_400)
  assert.equal(over.body.code, 'token_expired')
})

test('identity-2-15 access and refresh tokens are not interchangeable and an API key cannot sign out', async () => {
  const acme = await app.tenant()

  const asBearer = await me(acme, acme.member.refreshToken)
  const asRefresh = await refresh(acme, acme.member.accessToken)
  const created = await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })
  const keyLogout = await acme.bearer(`ApiKey ${created.body.key}`).post('/api/auth/logout')

  assert.equal(asBearer.status, 401)
  assert.equal(asBearer.body.code, 'invalid_token')
  assert.equal(asRefresh.status, 401)
  assert.equal(asRefresh.body.code, 'invalid_token')
  assert.equal(keyLogout.status, 403)
  assert.equal(keyLogout.body.code, 'session_required')
})

test('a refresh token is rejected in another workspace and after the user was deactivated', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]

  const elsewhere = await refresh(beta, acme.member.refreshToken)
  await acme.sql(`update identity.users set status = 'deactivated', deactivated_at = now() where id = $1`, [
    acme.member.userId,
  ])
  const deactivation = await refresh(acme, acme.member.refreshToken)

  assert.equal(elsewhere.body.code, 'tenant_mismatch')
  assert.equal(deactivation.body.code, 'token_revoked')
})

test('a correctly signed token that was never issued is rejected', async () => {
  const acme = await app.tenant()
  const { userId, sessionId } = acme.member
  const now = app.clock.now()
  const forged = await app.tokens.signRefreshToken({
    tenantId: acme.id,
    userId,
    sessionId,
    id: '01890000-0000-7000-8000-000000000000',
    issuedAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
    kid: app.tokens.currentKid,
  })

  const response = await refresh(acme, forged)

  assert.equal(response.body.code, 'invalid_token')
  assert.equal((await acme.member.get('/api/auth/me')).status, 200)
})

test('a browser keeps the refresh token in a cookie that only pages of the same host can use', async () => {
  const acme = await app.tenant()
  const send = (path: string, body: object, headers: Record<string, string> = {}) =>
    app.app.inject({ method: 'POST', url: path, headers: { host: acme.host, ...headers }, payload: body })
  const credentials = { email: acme.member.email, password, refresh_token_delivery: 'cookie' }

  const signedIn = await send('/api/auth/login', credentials)
  const [cookie] = signedIn.cookies
  const withCookie = { cookie: `${cookie!.name}=${cookie!.value}` }
  const sameOrigin = { ...withCookie, 'sec-fetch-site': 'same-origin' }
  const refused = await Promise.all([
    send('/api/auth/refresh', {}, withCookie),
    send('/api/auth/refresh', {}, { ...withCookie, 'sec-fetch-site': 'same-site', origin: `https://${acme.host}` }),
    send('/api/auth/refresh', {}, { ...withCookie, origin: 'https://evil.example' }),
  ])
  const refreshed = await send('/api/auth/refresh', {}, sameOrigin)
  const byOrigin = await send('/api/auth/refresh', {}, { ...withCookie, origin: `https://${acme.host}` })
  const loggedOut = await send(
    '/api/auth/logout',
    {},
    { ...withCookie, authorization: `Bearer ${refreshed.json().access_token}` },
  )
  const failed = await send('/api/auth/refresh', {}, sameOrigin)

  assert.equal(signedIn.json().refresh_token, null)
  assert.partialDeepStrictEqual(cookie, { httpOnly: true, sameSite: 'Strict', path: '/' })
  for (const response of refused)
    assert.deepEqual([response.statusCode, response.json().code], [403, 'cross_site_request'])
  assert.deepEqual([refreshed.statusCode, refreshed.json().refresh_token, byOrigin.statusCode], [200, null, 200])
  assert.notEqual(refreshed.cookies[0]!.value, cookie!.value)
  for (const { cookies } of [loggedOut, failed]) assert.partialDeepStrictEqual(cookies[0], { value: '', maxAge: 0 })
  assert.equal(failed.json().code, 'token_revoked')
  const without = await Promise.all([
    send('/api/auth/refresh', {}, { 'sec-fetch-site': 'same-origin' }),
    send('/api/auth/refresh', {}),
  ])
  assert.deepEqual(
    without.map((response) => [response.statusCode, response.json().code]),
    [
      [401, 'authentication_required'],
      [422, 'validation_failed'],
    ],
  )
})

test('the current user sees rights, settings, features and the number of unread notifications', async () => {
  const acme = await app.tenant()
  await acme.admin.patch('/api/admin/settings', { general: { timezone: 'Europe/Berlin', week_starts_on: 'sunday' } })
  const { key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['leads.delete'] })).body

  const [member, viewer, machine] = await Promise.all(
    [acme.member, acme.viewer, acme.bearer(`ApiKey ${key}`)].map((client) => client.get('/api/auth/me')),
  )

  assert.partialDeepStrictEqual(member!.body, {
    permissions: { 'leads.write': 'all', 'leads.delete': 'own' },
    capabilities: { ai: false, mail: true, enrichment: true },
    unread_notifications: 0,
  })
  assert.deepEqual(member!.body.tenant.general, {
    timezone: 'Europe/Berlin',
    locale: 'en',
    currency: 'EUR',
    fiscal_year_start_month: 1,
    week_starts_on: 'sunday',
  })
  assert.equal(viewer!.body.permissions['leads.write'], undefined)
  assert.deepEqual(machine!.body.permissions, { 'leads.delete': 'own' })
})
