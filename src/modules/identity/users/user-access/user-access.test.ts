import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedis } from '#platform/cache'
import { createRateLimiter } from '#platform/limits'
import { password, startTestApp } from '#testing'
import { consumeResendAllowance } from '../../credentials/emails/resend-allowance.ts'

const { tenant, clock, services, startTestWorker, mails } = await startTestApp()
await startTestWorker()
const ada = { email: 'ada@engines.example', name: 'Ada Lovelace' }

test('an admin resets a password and gets a temporary one', async () => {
  const acme = await tenant()
  const { member } = acme
  const login = (secret: string) => acme.anonymous.post('/api/auth/login', { email: member.email, password: secret })

  const { status, body } = await acme.admin.post(`/api/users/${member.userId}/reset-password`)

  assert.equal(status, 200)
  assert.partialDeepStrictEqual(body, {
    user_id: member.userId,
    delivery: 'temporary_password',
    must_change_password: true,
    sessions_revoked: 1,
  })
  assert.equal(body.temporary_password.length, 20)
  assert.equal((await member.get('/api/users/')).status, 401)
  assert.equal((await login(password)).status, 401)
  assert.equal((await login(body.temporary_password)).body.must_change_password, true)
  const [mail] = await mails(member.email, 1)
  assert.ok(mail!.text!.includes(acme.admin.name))
  assert.ok(!mail!.text!.includes(body.temporary_password))
  const stored = await acme.sql(
    'select data::text || (select string_agg(changes::text, $2) from platform.audit_log where tenant_id = $1) as stored from platform.outbox_events where tenant_id = $1',
    [acme.id, ' '],
  )
  assert.ok(!JSON.stringify(stored.rows).includes(body.temporary_password))
})

test('a replayed reset shows no password and does not reset it again', async () => {
  const acme = await tenant()
  const url = `/api/users/${acme.member.userId}/reset-password`
  const key = { 'idempotency-key': 'reset-once' }

  const first = await acme.admin.post(url, undefined, key)
  const replay = await acme.admin.post(url, undefined, key)

  assert.deepEqual(replay.body, { ...first.body, temporary_password: null })
  const credentials = { email: acme.member.email, password: first.body.temporary_password }
  assert.equal((await acme.anonymous.post('/api/auth/login', credentials)).status, 200)
})

test('a temporary password expires', async () => {
  const acme = await tenant()
  const { body } = await acme.admin.post('/api/users/', { ...ada, send_invite: false })
  const credentials = { email: ada.email, password: body.temporary_password }

  clock.advance(72 * 3_600 + 1)
  const expired = await acme.anonymous.post('/api/auth/login', credentials)
  clock.advance(-72 * 3_600 - 1)

  assert.deepEqual([expired.status, expired.body.code], [403, 'account_disabled'])
  assert.equal((await acme.anonymous.post('/api/auth/login', credentials)).status, 200)
})

test('with delivery by email link the old password stops working', async () => {
  const acme = await tenant()
  const { member } = acme
  await acme.admin.patch('/api/admin/settings', { security: { password_reset_delivery: 'email_link' } })

  const { body } = await acme.admin.post(`/api/users/${member.userId}/reset-password`)

  assert.partialDeepStrictEqual(body, { delivery: 'email_link', temporary_password: null, must_change_password: true })
  const login = await acme.anonymous.post('/api/auth/login', { email: member.email, password })
  assert.equal(login.status, 401)
  const texts = (await mails(member.email, 2)).map(({ text }) => text!)
  assert.ok(texts.some((text) => /#token=[\w-]{43}/.test(text)))
})

test('the password of the caller or of a user who is not active cannot be reset', async () => {
  const acme = await tenant()
  const { body: invited } = await acme.admin.post('/api/users/', ada)
  const inactive = await acme.person('member')
  await acme.admin.patch(`/api/users/${inactive.userId}`, { status: 'deactivated' })
  const reset = async (id: string) => {
    const { status, body } = await acme.admin.post(`/api/users/${id}/reset-password`)
    return [status, body.code]
  }

  assert.deepEqual(await reset(acme.admin.userId), [409, 'self_change'])
  assert.deepEqual(await reset(invited.id), [409, 'conflict'])
  assert.deepEqual(await reset(inactive.userId), [409, 'conflict'])
  assert.equal((await acme.manager.post(`/api/users/${acme.member.userId}/reset-password`)).status, 403)
  assert.equal((await acme.admin.post(`/api/users/${acme.member.userId}/reset-password`, { password })).status, 422)
})

test('an invitation can be resent until it is accepted', async () => {
  const acme = await tenant()
  const { body: invited } = await acme.admin.post('/api/users/', { ...ada, email: 'again@engines.example' })

  const again = await acme.admin.post(`/api/users/${invited.id}/resend-invite`)
  const active = await acme.admin.post(`/api/users/${acme.member.userId}/resend-invite`)

  assert.deepEqual([again.status, again.body.sent_to], [200, 'again@engines.example'])
  assert.deepEqual([active.status, active.body.code], [409, 'conflict'])
  assert.equal((await mails('again@engines.example', 2)).length, 2)
})

test('an invitation can be resent five times a day', async () => {
  const limits = createRateLimiter({
    redis: openRedis({ log: services.log }),
    config: { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 },
    clock,
  })
  const invite = () => consumeResendAllowance(limits, 'invitation', { tenantId: 'acme', userId: 'ada' })
  for (let count = 0; count < 5; count++) await invite()

  await assert.rejects(invite, { status: 429, code: 'rate_limited' })

  await consumeResendAllowance(limits, 'invitation', { tenantId: 'acme', userId: 'grace' })
})

test('an admin revokes all sessions of a user', async () => {
  const acme = await tenant()
  const phone = await acme.signIn(acme.member.userId)

  const { status, body } = await acme.admin.delete(`/api/users/${acme.member.userId}/sessions`)

  assert.deepEqual([status, body], [200, { sessions_revoked: 2 }])
  assert.deepEqual([(await phone.get('/api/users/')).status, (await acme.member.get('/api/users/')).status], [401, 401])
  assert.equal((await acme.manager.delete(`/api/users/${acme.viewer.userId}/sessions`)).status, 403)
})

test('an admin signs out all users of the workspace and stays signed in', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const url = '/api/users/admin/active-sessions'
  const elsewhere = await acme.signIn(acme.admin.userId)
  const { status: impersonated } = await elsewhere.post(`/api/users/${acme.viewer.userId}/impersonate`, {
    reason: 'A list does not open.',
  })
  const { sessionId: expired } = await acme.signIn(acme.manager.userId)
  await acme.sql('update identity.sessions set idle_expires_at = $2 where id = $1', [expired, clock.now()])
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Sync', scopes: ['leads.read'] })
  const { body: before } = await acme.admin.get(`${url}?threshold_seconds=7776000&limit=1`)
  const confirmed = `${url}?confirm=${acme.slug}`
  const refused = [await acme.manager.delete(confirmed), await acme.bearer(`Bearer ${key.key}`).delete(confirmed)]
  const unconfirmed = [await acme.admin.delete(url), await acme.admin.delete(`${url}?confirm=${other.slug}`)]

  const { status, body } = await acme.admin.delete(confirmed)

  assert.deepEqual([impersonated, before.total], [201, 4])
  for (const response of refused) assert.equal(response.status, 403)
  for (const response of unconfirmed) assert.equal(response.status, 422)
  assert.equal(status, 200)
  assert.deepEqual(body, { sessions_revoked: 5, users_signed_out: 3 })
  for (const user of [acme.manager, acme.member, acme.viewer, elsewhere])
    assert.equal((await user.get('/api/auth/me')).status, 401)
  assert.equal((await acme.admin.get('/api/auth/me')).status, 200)
  assert.equal((await acme.bearer(`Bearer ${key.key}`).get('/api/auth/me')).status, 200)
  assert.equal((await other.member.get('/api/auth/me')).status, 200)
  const { rows: kept } = await acme.sql(
    'select id from identity.sessions where tenant_id = $1 and revoked_at is null order by created_at',
    [acme.id],
  )
  assert.deepEqual(kept, [{ id: acme.admin.sessionId }, { id: expired }])
  const { rows: entries } = await acme.sql(
    `select actor_type, resource_label as label from platform.audit_log
     where tenant_id = $1 and action in ('tenant.signed_out', 'session.revoked', 'impersonation.ended')`,
    [acme.id],
  )
  assert.deepEqual(entries, [{ actor_type: 'user', label: acme.slug }])
  const events = await acme.events()
  const counts = ['session.revoked', 'impersonation.ended'].map((type) => events.filter((one) => one === type).length)
  assert.deepEqual(counts, [4, 1])
})

test('signing out all users requires a recent sign-in', async () => {
  const acme = await tenant()
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where tenant_id = $1`,
    [acme.id],
  )

  const { status, body } = await acme.admin.delete(`/api/users/admin/active-sessions?confirm=${acme.slug}`)

  assert.deepEqual([status, body.code], [403, 'reauthentication_required'])
  assert.equal((await acme.member.get('/api/auth/me')).status, 200)
})
