import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { createSignupTenant, readEmailedToken, type SignupTenant, signUpUser } from './sign-up.fixture.ts'
import { sendVerificationLater } from './verification.jobs.ts'

const app = await startTestApp()
await app.startTestWorker()
const unique = () => `ada-${randomUUID()}@example.com`
const verify = (user: Pick<SignupTenant['anonymous'], 'post'>, token: string) =>
  user.post('/api/auth/verify-email', { token })
const resend = (user: Pick<SignupTenant['anonymous'], 'post'>) => user.post('/api/auth/resend-verification')

test('the verification email has text and HTML parts with a link to the workspace', async () => {
  const acme = await createSignupTenant(app)
  const ada = await signUpUser(acme, unique())

  const [mail] = await app.mails(ada.email, 1)

  assert.equal(mail!.subject, `Confirm your email address for ${acme.name}`)
  assert.match(mail!.text!, /valid for 24 hours and can be used once/)
  assert.match(mail!.text!, new RegExp(`https://${acme.host}/verify-email#token=[\\w-]{43}`))
  assert.match(String(mail!.html), /<a href="https:\/\/[^"]+\/verify-email#token=[\w-]{43}"/)
  const token = await readEmailedToken(app, ada.email)
  const stored = await acme.sql(
    `select (select string_agg(data::text, '') from pgboss.job where group_id = $1) as jobs,
       (select string_agg(token_hash::text || meta::text, '') from identity.one_time_tokens where tenant_id = $2) as tokens`,
    [acme.id, acme.id],
  )
  assert.ok(!JSON.stringify(stored.rows).includes(token))
})

test('a link verifies the email address once and invalidates the other links', async () => {
  const acme = await createSignupTenant(app)
  const ada = await signUpUser(acme, unique())
  const first = await readEmailedToken(app, ada.email)
  const sent = await resend(ada)
  const second = await readEmailedToken(app, ada.email, 2)

  const done = await verify(ada, second)
  const again = await verify(ada, second)
  const other = await verify(ada, first)
  const late = await resend(ada)

  assert.deepEqual(sent.body, { status: 'verification_sent', sent_to: ada.email })
  assert.deepEqual([done.status, done.body], [200, { status: 'email_verified' }])
  assert.deepEqual([again.status, again.body.code, other.status], [410, 'link_expired', 410])
  assert.deepEqual([late.status, late.body.code], [409, 'conflict'])
  assert.notEqual((await ada.get('/api/auth/me')).body.email_verified_at, null)
  const { rows } = await acme.sql(
    `select data from platform.outbox_events where tenant_id = $1 and type = 'user.updated' and subject_id = $2`,
    [acme.id, ada.userId],
  )
  assert.deepEqual(rows, [{ data: { changed: ['email_verified_at'] } }])
  assert.equal((await acme.audit()).filter((action) => action === 'user.updated').length, 1)
})

test('one of several concurrent uses of a link succeeds', async () => {
  const acme = await createSignupTenant(app)
  const ada = await signUpUser(acme, unique())
  const token = await readEmailedToken(app, ada.email)

  const responses = await Promise.all(Array.from({ length: 5 }, () => verify(ada, token)))

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 410, 410, 410, 410])
})

test('links of another user, another workspace or another kind are rejected', async () => {
  const [acme, beta] = [await createSignupTenant(app), await createSignupTenant(app)]
  const [ada, grace] = [await signUpUser(acme, unique()), await signUpUser(acme, unique())]
  const edith = await signUpUser(beta, unique())
  const token = await readEmailedToken(app, grace.email)
  await acme.anonymous.post('/api/auth/forgot-password', { email: ada.email })
  const [, resetMail] = await app.mails(ada.email, 2)
  const resetToken = /reset-password#token=([\w-]{43})/.exec(resetMail!.text!)![1]!

  const open = await verify(ada, token)
  const elsewhere = await verify(edith, token)
  const otherKind = await verify(ada, resetToken)
  const own = await verify(grace, token)
  const used = await verify(ada, token)

  for (const rejected of [open, elsewhere, otherKind, used]) {
    assert.equal(rejected.status, 422)
    assert.deepEqual([rejected.body.errors[0].path, rejected.body.errors[0].code], ['/token', 'invalid'])
  }
  assert.equal(own.status, 200)
  assert.equal((await ada.get('/api/auth/me')).body.email_verification_required, true)
})

test('a link expires after one day', async () => {
  const acme = await createSignupTenant(app)
  const ada = await signUpUser(acme, unique())
  const token = await readEmailedToken(app, ada.email)

  app.clock.advance(86_401)
  const { body } = await acme.anonymous.post('/api/auth/login', { email: ada.email, password: 'seven green bicycles' })
  const late = await verify(acme.bearer(`Bearer ${body.access_token}`), token)

  assert.deepEqual([late.status, late.body.code], [410, 'link_expired'])
})

test('an email address changed by an admin must be verified again, and older links do not verify it', async () => {
  const acme = await createSignupTenant(app)
  const ada = await signUpUser(acme, unique())
  const token = await readEmailedToken(app, ada.email)
  const moved = unique()

  await acme.admin.patch(`/api/users/${ada.userId}`, { email: moved })
  const { body } = await acme.anonymous.post('/api/auth/login', { email: moved, password: 'seven green bicycles' })
  const again = acme.bearer(`Bearer ${body.access_token}`)
  const old = await verify(again, token)
  await resend(again)
  // The first email to the new address is the notice of the change.
  const renewed = await verify(again, await readEmailedToken(app, moved, 2))

  assert.equal(body.email_verification_required, true)
  assert.equal(old.status, 410)
  assert.equal(renewed.status, 200)
})

test('a link used during a concurrent email change never verifies the new address', async () => {
  const acme = await createSignupTenant(app)

  for (let round = 0; round < 5; round++) {
    const ada = await signUpUser(acme, unique())
    const token = await readEmailedToken(app, ada.email)
    const [changed, verified] = await Promise.all([
      acme.admin.patch(`/api/users/${ada.userId}`, { email: unique() }),
      verify(ada, token),
    ])

    assert.equal(changed.status, 200, changed.text)
    assert.ok([200, 401, 410].includes(verified.status), verified.text)
    const { body } = await acme.admin.get(`/api/users/${ada.userId}`)
    assert.equal(body.email_verified_at, null)
  }
})

test('a link created during a concurrent email change is not sent to the old address', async () => {
  const acme = await createSignupTenant(app)
  const holder = await app.owner.connect()
  const ada = await signUpUser(acme, unique())
  await readEmailedToken(app, ada.email)
  const moved = unique()
  await holder.query('begin')
  await holder.query('update identity.users set email = $2 where id = $1', [ada.userId, moved])

  await inTenant(app.db, systemActor(acme.id), (tx) => sendVerificationLater(tx, ada.userId))
  await sleep(1_000)
  await holder.query('commit')
  holder.release()

  assert.equal((await app.mails(moved, 1)).length, 1)
  assert.equal((await app.mails(ada.email)).length, 1)
})

test('verification requires a session, and malformed tokens are rejected', async () => {
  const acme = await createSignupTenant(app)
  const ada = await signUpUser(acme, unique())

  assert.equal((await verify(acme.anonymous, 'x'.repeat(43))).status, 401)
  assert.equal((await resend(acme.anonymous)).status, 401)
  assert.equal((await verify(ada, 'x')).status, 422)
  assert.equal((await verify(ada, 'x'.repeat(43))).status, 422)
  assert.equal((await ada.post('/api/auth/resend-verification', { email: 'other@example.com' })).status, 422)
})
