import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { password, startTestApp } from '#testing'
import { inTurn } from '../auth/hashing-queue.ts'
import { chosen, mailedToken, openDoor, setSignup, signUp } from './sign-up.fixture.ts'

const app = await startTestApp()
await app.startTestWorker()
const unique = (domain = 'example.com') => `ada-${randomUUID()}@${domain}`
const codes = (answer: { body: { errors: { path: string; code: string }[] } }) =>
  answer.body.errors.map(({ path, code }) => [path, code])

test('identity-2-11 the policy decides who signs up, and a new account is limited until its address is verified', async () => {
  const domain = `acme-${randomUUID()}.com`
  const acme = await openDoor(app, { policy: 'closed' })
  const closed = await signUp(acme, unique(domain))
  await setSignup(acme, { policy: 'domain', allowed_email_domains: [domain] })
  const email = unique(domain)

  const subdomain = await signUp(acme, unique(`sub.${domain}`))
  const welcome = await signUp(acme, email)
  const again = await signUp(acme, email.toUpperCase())

  assert.deepEqual([closed.status, closed.body.code], [403, 'signup_not_allowed'])
  assert.deepEqual([subdomain.status, subdomain.body.code], [403, 'signup_not_allowed'])
  assert.equal(welcome.status, 201, welcome.text)
  assert.deepEqual([again.status, again.body.code, again.body.existing_id], [409, 'already_exists', undefined])

  const ada = acme.bearer(`Bearer ${welcome.body.access_token}`)
  const limited = await ada.get('/api/teams/')
  const me = await ada.get('/api/auth/me')
  assert.deepEqual([limited.status, limited.body.code], [403, 'email_verification_required'])
  assert.deepEqual([me.status, me.body.email_verification_required], [200, true])

  const verified = await ada.post('/api/auth/verify-email', { token: await mailedToken(app, email) })
  assert.equal(verified.status, 200, verified.text)
  assert.equal((await ada.get('/api/teams/')).status, 200)
  assert.equal((await ada.get('/api/auth/me')).body.email_verification_required, false)
})

test('whoever signs up gets a whole token response, a session and an account, all of it announced', async () => {
  const acme = await openDoor(app, { policy: 'open', default_role: 'member' })
  const email = unique()

  const { status, body, headers } = await signUp(acme, ` ${email} `, { name: ' Ada Lovelace ' })

  assert.equal(status, 201)
  assert.equal(headers['cache-control'], 'no-store')
  const { access_token, refresh_token, ...rest } = body
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 900,
    refresh_expires_in: 14 * 86_400,
    must_change_password: false,
    email_verification_required: true,
    user: { id: body.user.id, email, name: 'Ada Lovelace', role: 'member' },
  })
  assert.equal((await acme.anonymous.post('/api/auth/refresh', { refresh_token })).status, 200)
  const me = await acme.bearer(`Bearer ${access_token}`).get('/api/auth/me')
  assert.deepEqual([me.body.session.auth_method, me.body.email_verified_at], ['signup', null])
  const events = await acme.events()
  assert.ok(events.indexOf('user.created') < events.indexOf('session.created'), events.join())
  assert.ok((await acme.audit()).includes('user.created'))
  const { rows } = await acme.sql(
    'select outcome, method, session_id from identity.login_events where tenant_id = $1 and user_id = $2',
    [acme.id, body.user.id],
  )
  assert.deepEqual(rows, [{ outcome: 'success', method: 'signup', session_id: me.body.session.id }])
  const login = await acme.anonymous.post('/api/auth/login', { email, password: chosen })
  assert.deepEqual([login.status, login.body.email_verification_required], [200, true])
})

test('of two who sign up with one address at once, one gets the account and leaves no trace of the other', async () => {
  const acme = await openDoor(app)
  const email = unique()

  const answers = await Promise.all([signUp(acme, email), signUp(acme, email.toUpperCase()), signUp(acme, email)])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [201, 409, 409])
  for (const { status, body } of answers) if (status === 409) assert.ok(!('existing_id' in body), JSON.stringify(body))
  const { rows } = await acme.sql(
    `select (select count(*)::int from identity.users where tenant_id = $1 and source = 'signup') as users,
       (select count(*)::int from identity.sessions where tenant_id = $1 and auth_method = 'signup') as sessions`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ users: 1, sessions: 1 }])
  assert.equal((await app.mails(email, 1)).length, 1)
})

test('an address of the workspace is taken, whatever its account is like; the same one elsewhere is free', async () => {
  const acme = await openDoor(app)
  const beta = await openDoor(app)
  const { body: invited } = await acme.admin.post('/api/users/', { email: unique(), name: 'Grace' })
  await acme.admin.patch(`/api/users/${acme.viewer.userId}`, { status: 'deactivated' })

  for (const email of [acme.member.email, acme.viewer.email, invited.email]) {
    const taken = await signUp(acme, email)
    assert.deepEqual([taken.status, taken.body.code, taken.body.existing_id], [409, 'already_exists', undefined])
  }
  const elsewhere = await signUp(beta, acme.member.email)

  assert.equal(elsewhere.status, 201)
  assert.equal((await acme.bearer(`Bearer ${elsewhere.body.access_token}`).get('/api/auth/me')).status, 401)
})

test('a new password must be a good one, and all that is wrong is told', async () => {
  const acme = await openDoor(app)
  const email = `charles.babbage-${randomUUID().slice(0, 8)}@example.com`
  const localPart = email.split('@')[0]!

  const weak = []
  for (const password of ['short', 'password1234', `${localPart} rocks`, `at ${acme.slug} for ever`, 'x'.repeat(129)])
    weak.push(codes(await signUp(acme, email, { password }))[0])
  const empty = await acme.anonymous.post('/api/auth/signup', {})
  const strange = await signUp(acme, 'no address', { name: '', role: 'admin', email_verified_at: new Date() })
  const good = await signUp(acme, email)

  assert.deepEqual(weak, [
    ['/password', 'minLength'],
    ['/password', 'common_password'],
    ['/password', 'contextual_password'],
    ['/password', 'contextual_password'],
    ['/password', 'maxLength'],
  ])
  assert.deepEqual([empty.status, codes(empty).length], [422, 3])
  assert.deepEqual(
    codes(strange)
      .map(([path]) => path)
      .sort(),
    ['/email', '/email_verified_at', '/name', '/role'],
  )
  assert.equal(good.status, 201)
})

test('a password with spaces around it is kept as it was typed', async () => {
  const acme = await openDoor(app)
  const email = unique()
  const typed = `  ${chosen} `

  await signUp(acme, email, { password: typed })

  const login = (given: string) => acme.anonymous.post('/api/auth/login', { email, password: given })
  assert.deepEqual([(await login(typed)).status, (await login(chosen)).status], [200, 401])
})

test('a workspace that asks for no proof opens at once, and its settings decide the role', async () => {
  const acme = await openDoor(app, { policy: 'open', require_verified_email: false })

  const { body } = await signUp(acme, unique())

  assert.deepEqual([body.email_verification_required, body.user.role], [false, 'viewer'])
  assert.equal((await acme.bearer(`Bearer ${body.access_token}`).get('/api/teams/')).status, 200)
})

test('where single sign-on is the only way in, nobody signs up around it', async () => {
  const acme = await openDoor(app)
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso', '{"enforced": true}')`,
    [acme.id],
  )

  const refused = await signUp(acme, unique(), { password })

  assert.deepEqual([refused.status, refused.body.code], [403, 'sso_required'])
  const { rows } = await acme.sql(
    `select actor_type, outcome, reason from platform.audit_log where tenant_id = $1 and action = 'user.created'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ actor_type: 'public', outcome: 'denied', reason: 'sso_required' }])
})

test('a door that is closed while the password is hashed stays closed', async () => {
  const acme = await openDoor(app)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const busy = Array.from({ length: 2 * availableParallelism() }, () => inTurn(() => released))

  const waiting = signUp(acme, unique())
  await sleep(500)
  await setSignup(acme, { policy: 'closed' })
  release()
  await Promise.all(busy)
  const refused = await waiting

  assert.deepEqual([refused.status, refused.body.code], [403, 'signup_not_allowed'])
})
