import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { hash } from '@node-rs/argon2'
import { password, startTestApp, waitUntil } from '#testing'
import { hashingSemaphore } from '../../credentials/passwords/hashing-pool.ts'

const app = await startTestApp()
const wrong = 'this is not the password'

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const logIn = (acme: Tenant, email: string, passwordText = password, ip = '198.51.100.7') =>
  acme.anonymous.with({ remoteAddress: ip }).post('/api/auth/login', { email, password: passwordText })

const claimsOf = (token: string) =>
  token
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()))

test('identity-2-1 signing in returns tokens that contain no scopes or names', async () => {
  const acme = await app.tenant()

  const response = await logIn(acme, acme.member.email.toUpperCase())

  assert.equal(response.status, 200, response.text)
  assert.equal(response.headers['cache-control'], 'no-store')
  const { access_token, refresh_token, ...rest } = response.body
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 900,
    refresh_expires_in: 14 * 86_400,
    must_change_password: false,
    email_verification_required: false,
    user: { id: acme.member.userId, email: acme.member.email, name: acme.member.name, role: 'member' },
  })
  const [header, claims] = claimsOf(access_token)
  assert.deepEqual(header, { alg: 'EdDSA', kid: 'test', typ: 'at+jwt' })
  assert.deepEqual(Object.keys(claims).sort(), ['amr', 'auth_time', 'exp', 'iat', 'iss', 'jti', 'sid', 'sub', 'tid'])
  assert.equal(claims.tid, acme.id)
  assert.equal(claims.exp - claims.iat, 900)
  assert.equal(claimsOf(refresh_token)[0].typ, 'rt+jwt')
  assert.equal((await acme.bearer(`Bearer ${access_token}`).get('/api/auth/me')).status, 200)
})

test('identity-2-7 a sign-in that checked the old password fails after a concurrent password change', async () => {
  const acme = await app.tenant()
  const { userId, email } = acme.member
  const holder = await app.owner.connect()
  await holder.query('begin')
  await holder.query('select 1 from identity.user_presence where user_id = $1 for update', [userId])

  const login = logIn(acme, email)
  await waitUntilBlocked()
  const change = { current_password: password, new_password: 'entirely different words' }
  const changed = await acme.member.post('/api/auth/change-password', change)
  await holder.query('commit')
  holder.release()
  const response = await login

  assert.equal(changed.status, 200, changed.text)
  assert.equal(response.status, 401)
  assert.equal(response.body.code, 'invalid_credentials')
  const live = await acme.sql('select id from identity.sessions where user_id = $1 and revoked_at is null', [userId])
  assert.equal(live.rowCount, 1)
})

test('a sign-in waits for an open password change and then fails', async () => {
  const acme = await app.tenant()
  const { userId, email } = acme.member
  const changing = await app.owner.connect()
  await changing.query('begin')
  await changing.query('update identity.user_credentials set password_changed_at = now() where user_id = $1', [userId])

  const login = logIn(acme, email)
  await waitUntilBlocked()
  await changing.query('commit')
  changing.release()
  const response = await login

  assert.equal(response.status, 401)
  const sessions = await acme.sql('select id from identity.sessions where user_id = $1', [userId])
  assert.equal(sessions.rowCount, 1)
})

async function waitUntilBlocked(): Promise<void> {
  const blocked = `select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`
  await waitUntil(async () => (await app.owner.query(blocked)).rowCount! > 0)
}

test('the disabled state of an account is revealed only with the correct password', async () => {
  const acme = await app.tenant()
  await acme.sql(`update identity.users set status = 'deactivated', deactivated_at = now() where id = $1`, [
    acme.member.userId,
  ])

  const [guess, right] = [await logIn(acme, acme.member.email, wrong), await logIn(acme, acme.member.email)]

  assert.equal(guess.body.code, 'invalid_credentials')
  assert.equal(right.status, 403)
  assert.equal(right.body.code, 'account_disabled')
})

test('a temporary password expires', async () => {
  const acme = await app.tenant()
  const ends = new Date(app.clock.now().getTime() + 3_600_000)
  await acme.sql(
    'update identity.user_credentials set temporary = true, temporary_expires_at = $2 where user_id = $1',
    [acme.member.userId, ends],
  )

  const before = await logIn(acme, acme.member.email)
  app.clock.advance(3_601)
  const after = await logIn(acme, acme.member.email)

  assert.equal(before.status, 200)
  assert.equal(after.status, 403)
  assert.match(after.body.detail, /Ask an admin/)
})

test('with enforced single sign-on only admins can sign in with a password', async () => {
  const acme = await app.tenant()
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso', '{"enforced": true}')`,
    [acme.id],
  )

  const [member, admin] = [await logIn(acme, acme.member.email), await logIn(acme, acme.admin.email)]

  assert.equal(member.status, 403)
  assert.equal(member.body.code, 'sso_required')
  assert.equal(admin.status, 200)
})

test('an invited user without a password gets the same error as an unknown user', async () => {
  const acme = await app.tenant()
  await acme.sql('update identity.user_credentials set password_hash = null where user_id = $1', [acme.member.userId])

  const response = await logIn(acme, acme.member.email)

  assert.equal(response.status, 401)
  assert.equal(response.body.code, 'invalid_credentials')
})

test('every attempt is recorded and a success is announced', async () => {
  const acme = await app.tenant()
  const { userId, email } = acme.member
  await logIn(acme, email, wrong)
  const { body } = await logIn(acme, email)

  const history = await acme.sql(
    'select outcome, reason, method, ip, session_id from identity.login_events where user_id = $1 order by id',
    [userId],
  )

  const [, claims] = claimsOf(body.access_token)
  assert.deepEqual(history.rows, [
    { outcome: 'failure', reason: 'wrong_password', method: 'password', ip: '198.51.100.7', session_id: null },
    { outcome: 'success', reason: null, method: 'password', ip: '198.51.100.7', session_id: claims.sid },
  ])
  const presence = await acme.sql('select last_login_at from identity.user_presence where user_id = $1', [userId])
  assert.ok(presence.rows[0].last_login_at)
  assert.deepEqual(await acme.events(), ['session.created'])
  assert.deepEqual(await acme.audit(), ['login.failed', 'session.created'])
})

test('the 51st sign-in revokes the least recently used session', async () => {
  const acme = await app.tenant()
  const { userId, email, sessionId } = acme.member
  await acme.sql(`update identity.sessions set last_seen_at = last_seen_at - interval '1 day' where id = $1`, [
    sessionId,
  ])
  for (let session = 0; session < 49; session++) await acme.signIn(userId)

  const response = await logIn(acme, email)

  assert.equal(response.status, 200)
  const { rows } = await acme.sql(
    'select id, revoke_reason from identity.sessions where user_id = $1 and revoked_at is not null',
    [userId],
  )
  assert.deepEqual(rows, [{ id: sessionId, revoke_reason: 'session_limit' }])
  assert.equal((await acme.member.get('/api/auth/me')).body.code, 'token_revoked')
})

test('concurrent sign-ins never leave more than fifty sessions', async () => {
  const acme = await app.tenant()
  const { userId, email } = acme.member
  for (let session = 0; session < 44; session++) await acme.signIn(userId)

  const responses = await Promise.all(Array.from({ length: 12 }, () => logIn(acme, email)))

  assert.deepEqual(new Set(responses.map(({ status }) => status)), new Set([200]))
  const live = await acme.sql('select id from identity.sessions where user_id = $1 and revoked_at is null', [userId])
  assert.equal(live.rowCount, 50)
})

test('the session lifetime follows the workspace settings', async () => {
  const acme = await app.tenant()
  const doc = JSON.stringify({ session_idle_days: 2, session_max_days: 1 })
  await acme.sql(`insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'security', $2)`, [
    acme.id,
    doc,
  ])

  const response = await logIn(acme, acme.member.email)

  assert.equal(response.body.refresh_expires_in, 86_400)
})

test('a password with a weak hash is rehashed at the next sign-in and sessions are kept', async () => {
  const acme = await app.tenant()
  const cheap = await hash(password, { memoryCost: 8_192, timeCost: 1, parallelism: 1 })
  await acme.sql('update identity.user_credentials set password_hash = $2 where user_id = $1', [
    acme.member.userId,
    cheap,
  ])

  const first = await logIn(acme, acme.member.email)
  const stored = await acme.sql('select password_hash from identity.user_credentials where user_id = $1', [
    acme.member.userId,
  ])
  const second = await logIn(acme, acme.member.email)

  assert.match(stored.rows[0].password_hash, /m=19456,t=2,p=1/)
  assert.deepEqual([first.status, second.status], [200, 200])
  assert.equal((await acme.member.get('/api/auth/me')).status, 200)
})

test('a sign-in from a new device is announced by email, one from a known device is not', async () => {
  const acme = await app.tenant()
  const { email } = acme.member
  const firefox = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const newerFirefox = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0; rv:141.0) Gecko/20100101 Firefox/141.0' }
  const login = (headers: Record<string, string>) =>
    acme.anonymous.post('/api/auth/login', { email, password }, headers)
  await login(firefox)
  await login(newerFirefox)
  const before = await acme.jobs()

  await login({ 'user-agent': 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15) Version/18.0 Safari/605.1.15' })
  await app.startTestWorker()
  const [mail] = await app.mails(email, 1)

  assert.deepEqual(before, [])
  assert.match(mail!.subject!, /new device/)
  assert.match(mail!.text!, /Safari on macOS/)
  assert.match(mail!.text!, new RegExp(`https://${acme.host}/login`))
})

test('passwords are not trimmed and malformed credentials are rejected', async () => {
  const acme = await app.tenant()
  const post = (body: unknown) => acme.anonymous.post('/api/auth/login', body)

  const padded = await logIn(acme, acme.member.email, ` ${password} `)
  const rejected = [
    await post({}),
    await post({ email: 'a@b.c' }),
    await post({ email: acme.member.email, password, tenant_id: acme.id }),
  ]

  assert.equal(padded.status, 401)
  assert.deepEqual(
    rejected.map(({ status }) => status),
    [422, 422, 422],
  )
})

test('a full hashing queue of one workspace does not block the sign-ins of another', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const flood = Array.from({ length: 2 * availableParallelism() + 200 }, () =>
    hashingSemaphore(acme.id, () => released).catch((error: { code: string }) => error.code),
  )

  const login = logIn(beta, beta.member.email)
  await Promise.race([login, ...flood])
  release()
  const response = await login

  assert.equal(response.status, 200)
  assert.equal((await Promise.all(flood)).filter((code) => code === 'rate_limited').length, 1)
})
