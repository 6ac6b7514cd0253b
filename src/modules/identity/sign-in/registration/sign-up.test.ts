import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { password, startTestApp } from '#testing'
import { hashingSemaphore } from '../../credentials/passwords/hashing-pool.ts'
import { chosenPassword, createSignupTenant, postSignUp, readEmailedToken, setSignup } from './sign-up.fixture.ts'

const app = await startTestApp()
await app.startTestWorker()
const unique = (domain = 'example.com') => `ada-${randomUUID()}@${domain}`
const errorsOf = (response: { body: { errors: { path: string; code: string }[] } }) =>
  response.body.errors.map(({ path, code }) => [path, code])

test('identity-2-11 the policy decides who can sign up, and a new user is limited until the email address is verified', async () => {
  const domain = `acme-${randomUUID()}.com`
  const acme = await createSignupTenant(app, { policy: 'closed' })
  const closed = await postSignUp(acme, unique(domain))
  await setSignup(acme, { policy: 'domain', allowed_email_domains: [domain] })
  const email = unique(domain)

  const subdomain = await postSignUp(acme, unique(`sub.${domain}`))
  const accepted = await postSignUp(acme, email)
  const again = await postSignUp(acme, email.toUpperCase())

  assert.deepEqual([closed.status, closed.body.code], [403, 'signup_not_allowed'])
  assert.deepEqual([subdomain.status, subdomain.body.code], [403, 'signup_not_allowed'])
  assert.equal(accepted.status, 201, accepted.text)
  assert.deepEqual([again.status, again.body.code, again.body.existing_id], [409, 'already_exists', undefined])

  const ada = acme.bearer(`Bearer ${accepted.body.access_token}`)
  const limited = await ada.get('/api/teams/')
  const me = await ada.get('/api/auth/me')
  assert.deepEqual([limited.status, limited.body.code], [403, 'email_verification_required'])
  assert.deepEqual([me.status, me.body.email_verification_required], [200, true])

  const verified = await ada.post('/api/auth/verify-email', { token: await readEmailedToken(app, email) })
  assert.equal(verified.status, 200, verified.text)
  assert.equal((await ada.get('/api/teams/')).status, 200)
  assert.equal((await ada.get('/api/auth/me')).body.email_verification_required, false)
})

test('sign-up creates a user and a session, publishes events and returns tokens', async () => {
  const acme = await createSignupTenant(app, { policy: 'open', default_role: 'member' })
  const email = unique()

  const { status, body, headers } = await postSignUp(acme, ` ${email} `, { name: ' Ada Lovelace ' })

  assert.equal(status, 201)
  assert.equal(headers['cache-control'], 'no-store')
  const { access_token, refresh_token, refresh_expires_in, ...rest } = body
  assert.ok(refresh_expires_in <= 14 * 86_400 && refresh_expires_in > 14 * 86_400 - 60)
  assert.deepEqual(rest, {
    token_type: 'Bearer',
    expires_in: 900,
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
  const login = await acme.anonymous.post('/api/auth/login', { email, password: chosenPassword })
  assert.deepEqual([login.status, login.body.email_verification_required], [200, true])
})

test('one of several concurrent sign-ups with the same email address succeeds, and the others leave no data', async () => {
  const acme = await createSignupTenant(app)
  const email = unique()

  const responses = await Promise.all([
    postSignUp(acme, email),
    postSignUp(acme, email.toUpperCase()),
    postSignUp(acme, email),
  ])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409])
  for (const { status, body } of responses)
    if (status === 409) assert.ok(!('existing_id' in body), JSON.stringify(body))
  const { rows } = await acme.sql(
    `select (select count(*)::int from identity.users where tenant_id = $1 and source = 'signup') as users,
       (select count(*)::int from identity.sessions where tenant_id = $1 and auth_method = 'signup') as sessions`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ users: 1, sessions: 1 }])
  assert.equal((await app.mails(email, 1)).length, 1)
})

test('an email address of any user of the workspace is taken, but free in another workspace', async () => {
  const acme = await createSignupTenant(app)
  const beta = await createSignupTenant(app)
  const { body: invited } = await acme.admin.post('/api/users/', { email: unique(), name: 'Grace' })
  await acme.admin.patch(`/api/users/${acme.viewer.userId}`, { status: 'deactivated' })

  for (const email of [acme.member.email, acme.viewer.email, invited.email]) {
    const taken = await postSignUp(acme, email)
    assert.deepEqual([taken.status, taken.body.code, taken.body.existing_id], [409, 'already_exists', undefined])
  }
  const elsewhere = await postSignUp(beta, acme.member.email)

  assert.equal(elsewhere.status, 201)
  assert.equal((await acme.bearer(`Bearer ${elsewhere.body.access_token}`).get('/api/auth/me')).status, 401)
})

test('weak passwords and invalid fields are rejected', async () => {
  const acme = await createSignupTenant(app)
  const email = `charles.babbage-${randomUUID().slice(0, 8)}@example.com`
  const localPart = email.split('@')[0]!

  const weak = []
  for (const password of ['short', 'password1234', `${localPart} rocks`, `at ${acme.slug} for ever`, 'x'.repeat(129)])
    weak.push(errorsOf(await postSignUp(acme, email, { password }))[0])
  const empty = await acme.anonymous.post('/api/auth/signup', {})
  const invalid = await postSignUp(acme, 'no address', { name: '', role: 'admin', email_verified_at: new Date() })
  const good = await postSignUp(acme, email)

  assert.deepEqual(weak, [
    ['/password', 'minLength'],
    ['/password', 'common_password'],
    ['/password', 'contextual_password'],
    ['/password', 'contextual_password'],
    ['/password', 'maxLength'],
  ])
  assert.deepEqual([empty.status, errorsOf(empty).length], [422, 3])
  assert.deepEqual(
    errorsOf(invalid)
      .map(([path]) => path)
      .sort(),
    ['/email', '/email_verified_at', '/name', '/role'],
  )
  assert.equal(good.status, 201)
})

test('leading and trailing spaces of a password are kept', async () => {
  const acme = await createSignupTenant(app)
  const email = unique()
  const typed = `  ${chosenPassword} `

  await postSignUp(acme, email, { password: typed })

  const login = (value: string) => acme.anonymous.post('/api/auth/login', { email, password: value })
  assert.deepEqual([(await login(typed)).status, (await login(chosenPassword)).status], [200, 401])
})

test('without required verification a new user has full access, with the role from the settings', async () => {
  const acme = await createSignupTenant(app, { policy: 'open', require_verified_email: false })

  const { body } = await postSignUp(acme, unique())

  assert.deepEqual([body.email_verification_required, body.user.role], [false, 'viewer'])
  assert.equal((await acme.bearer(`Bearer ${body.access_token}`).get('/api/teams/')).status, 200)
})

test('enforced single sign-on prevents sign-up', async () => {
  const acme = await createSignupTenant(app)
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'sso', '{"enforced": true}')`,
    [acme.id],
  )

  const rejected = await postSignUp(acme, unique(), { password })

  assert.deepEqual([rejected.status, rejected.body.code], [403, 'sso_required'])
  const { rows } = await acme.sql(
    `select actor_type, outcome, reason from platform.audit_log where tenant_id = $1 and action = 'user.created'`,
    [acme.id],
  )
  assert.deepEqual(rows, [{ actor_type: 'public', outcome: 'denied', reason: 'sso_required' }])
})

test('a policy that is closed while the password is hashed rejects the sign-up', async () => {
  const acme = await createSignupTenant(app)
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  const busy = Array.from({ length: 2 * availableParallelism() }, () => hashingSemaphore(acme.id, () => released))

  const pending = postSignUp(acme, unique())
  await sleep(500)
  await setSignup(acme, { policy: 'closed' })
  release()
  await Promise.all(busy)
  const rejected = await pending

  assert.deepEqual([rejected.status, rejected.body.code], [403, 'signup_not_allowed'])
})
