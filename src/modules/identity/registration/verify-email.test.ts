import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { systemIn } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { mailedToken, newcomer, openDoor, type Tenant } from './sign-up.fixture.ts'
import { sendVerificationLater } from './verification.jobs.ts'

const app = await startTestApp()
await app.startTestWorker()
const unique = () => `ada-${randomUUID()}@example.com`
const verify = (who: Pick<Tenant['anonymous'], 'post'>, token: string) => who.post('/api/auth/verify-email', { token })
const resend = (who: Pick<Tenant['anonymous'], 'post'>) => who.post('/api/auth/resend-verification')

test('the mail says what it is for, in text and HTML, and leads to the workspace', async () => {
  const acme = await openDoor(app)
  const ada = await newcomer(acme, unique())

  const [mail] = await app.mails(ada.email, 1)

  assert.equal(mail!.subject, `Confirm your e-mail address for ${acme.name}`)
  assert.match(mail!.text!, /works once, within 24 hours/)
  assert.match(mail!.text!, new RegExp(`https://${acme.host}/verify-email#token=[\\w-]{43}`))
  assert.match(String(mail!.html), /<a href="https:\/\/[^"]+\/verify-email#token=[\w-]{43}"/)
  const token = await mailedToken(app, ada.email)
  const kept = await acme.sql(
    `select (select string_agg(data::text, '') from pgboss.job where group_id = $1) as jobs,
       (select string_agg(token_hash::text || meta::text, '') from identity.one_time_tokens where tenant_id = $2) as tokens`,
    [acme.id, acme.id],
  )
  assert.ok(!JSON.stringify(kept.rows).includes(token))
})

test('a link proves the address once, is announced, and closes the others', async () => {
  const acme = await openDoor(app)
  const ada = await newcomer(acme, unique())
  const first = await mailedToken(app, ada.email)
  const sent = await resend(ada)
  const second = await mailedToken(app, ada.email, 2)

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

test('of many who use one link at once, one proves the address', async () => {
  const acme = await openDoor(app)
  const ada = await newcomer(acme, unique())
  const token = await mailedToken(app, ada.email)

  const answers = await Promise.all(Array.from({ length: 5 }, () => verify(ada, token)))

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 410, 410, 410, 410])
})

test('a link of somebody else is no link, used or not, nor is one of another workspace or of another kind', async () => {
  const [acme, beta] = [await openDoor(app), await openDoor(app)]
  const [ada, grace] = [await newcomer(acme, unique()), await newcomer(acme, unique())]
  const edith = await newcomer(beta, unique())
  const token = await mailedToken(app, grace.email)
  await acme.anonymous.post('/api/auth/forgot-password', { email: ada.email })
  const [, resetMail] = await app.mails(ada.email, 2)
  const resetToken = /reset-password#token=([\w-]{43})/.exec(resetMail!.text!)![1]!

  const open = await verify(ada, token)
  const elsewhere = await verify(edith, token)
  const otherKind = await verify(ada, resetToken)
  const own = await verify(grace, token)
  const used = await verify(ada, token)

  for (const refused of [open, elsewhere, otherKind, used]) {
    assert.equal(refused.status, 422)
    assert.deepEqual([refused.body.errors[0].path, refused.body.errors[0].code], ['/token', 'invalid'])
  }
  assert.equal(own.status, 200)
  assert.equal((await ada.get('/api/auth/me')).body.email_verification_required, true)
})

test('a link ends after a day', async () => {
  const acme = await openDoor(app)
  const ada = await newcomer(acme, unique())
  const token = await mailedToken(app, ada.email)

  app.clock.advance(86_401)
  const { body } = await acme.anonymous.post('/api/auth/login', { email: ada.email, password: 'seven green bicycles' })
  const late = await verify(acme.bearer(`Bearer ${body.access_token}`), token)

  assert.deepEqual([late.status, late.body.code], [410, 'link_expired'])
})

test('an address an admin changes has to be proved anew, and no link sent before does it', async () => {
  const acme = await openDoor(app)
  const ada = await newcomer(acme, unique())
  const token = await mailedToken(app, ada.email)
  const moved = unique()

  await acme.admin.patch(`/api/users/${ada.userId}`, { email: moved })
  const { body } = await acme.anonymous.post('/api/auth/login', { email: moved, password: 'seven green bicycles' })
  const again = acme.bearer(`Bearer ${body.access_token}`)
  const old = await verify(again, token)
  await resend(again)
  // The first mail at the new address is the notice of the change.
  const renewed = await verify(again, await mailedToken(app, moved, 2))

  assert.equal(body.email_verification_required, true)
  assert.equal(old.status, 410)
  assert.equal(renewed.status, 200)
})

test('a link that is used while the address changes never proves the new one', async () => {
  const acme = await openDoor(app)

  for (let round = 0; round < 5; round++) {
    const ada = await newcomer(acme, unique())
    const token = await mailedToken(app, ada.email)
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

test('a link that is being made while the address changes is not sent to the old one', async () => {
  const acme = await openDoor(app)
  const holder = await app.owner.connect()
  const ada = await newcomer(acme, unique())
  await mailedToken(app, ada.email)
  const moved = unique()
  await holder.query('begin')
  await holder.query('update identity.users set email = $2 where id = $1', [ada.userId, moved])

  await inTenant(app.db, systemIn(acme.id), (tx) => sendVerificationLater(tx, ada.userId))
  await sleep(1_000)
  await holder.query('commit')
  holder.release()

  assert.equal((await app.mails(moved, 1)).length, 1)
  assert.equal((await app.mails(ada.email)).length, 1)
})

test('whoever is not signed in proves nothing, and a malformed link is told so', async () => {
  const acme = await openDoor(app)
  const ada = await newcomer(acme, unique())

  assert.equal((await verify(acme.anonymous, 'x'.repeat(43))).status, 401)
  assert.equal((await resend(acme.anonymous)).status, 401)
  assert.equal((await verify(ada, 'x')).status, 422)
  assert.equal((await verify(ada, 'x'.repeat(43))).status, 422)
  assert.equal((await ada.post('/api/auth/resend-verification', { email: 'other@example.com' })).status, 422)
})
