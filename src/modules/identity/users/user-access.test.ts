import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openRedis } from '#platform/cache'
import { openLimits } from '#platform/limits'
import { password, startTestApp } from '#testing'
import { takeResend } from './resend-limit.ts'

const { tenant, clock, services, startTestWorker, mails } = await startTestApp()
await startTestWorker()
const ada = { email: 'ada@engines.example', name: 'Ada Lovelace' }

test('an admin resets a password without ever choosing one', async () => {
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
  const kept = await acme.sql(
    'select data::text || (select string_agg(changes::text, $2) from platform.audit_log where tenant_id = $1) as kept from platform.outbox_events where tenant_id = $1',
    [acme.id, ' '],
  )
  assert.ok(!JSON.stringify(kept.rows).includes(body.temporary_password))
})

test('a repeated reset shows no password and resets nothing again', async () => {
  const acme = await tenant()
  const url = `/api/users/${acme.member.userId}/reset-password`
  const key = { 'idempotency-key': 'reset-once' }

  const first = await acme.admin.post(url, undefined, key)
  const replay = await acme.admin.post(url, undefined, key)

  assert.deepEqual(replay.body, { ...first.body, temporary_password: null })
  const credentials = { email: acme.member.email, password: first.body.temporary_password }
  assert.equal((await acme.anonymous.post('/api/auth/login', credentials)).status, 200)
})

test('a temporary password ends by itself', async () => {
  const acme = await tenant()
  const { body } = await acme.admin.post('/api/users/', { ...ada, send_invite: false })
  const credentials = { email: ada.email, password: body.temporary_password }

  clock.advance(72 * 3_600 + 1)
  const late = await acme.anonymous.post('/api/auth/login', credentials)
  clock.advance(-72 * 3_600 - 1)

  assert.deepEqual([late.status, late.body.code], [403, 'account_disabled'])
  assert.equal((await acme.anonymous.post('/api/auth/login', credentials)).status, 200)
})

test('a workspace may have passwords reset by mail; the old one works no more', async () => {
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

test('a password is not reset for oneself, nor for somebody who is not in', async () => {
  const acme = await tenant()
  const { body: invited } = await acme.admin.post('/api/users/', ada)
  const gone = await acme.person('member')
  await acme.admin.patch(`/api/users/${gone.userId}`, { status: 'deactivated' })
  const reset = async (id: string) => {
    const { status, body } = await acme.admin.post(`/api/users/${id}/reset-password`)
    return [status, body.code]
  }

  assert.deepEqual(await reset(acme.admin.userId), [409, 'self_change'])
  assert.deepEqual(await reset(invited.id), [409, 'conflict'])
  assert.deepEqual(await reset(gone.userId), [409, 'conflict'])
  assert.equal((await acme.manager.post(`/api/users/${acme.member.userId}/reset-password`)).status, 403)
  assert.equal((await acme.admin.post(`/api/users/${acme.member.userId}/reset-password`, { password })).status, 422)
})

test('an invitation is sent again as long as it was not accepted', async () => {
  const acme = await tenant()
  const { body: invited } = await acme.admin.post('/api/users/', { ...ada, email: 'again@engines.example' })

  const again = await acme.admin.post(`/api/users/${invited.id}/resend-invite`)
  const active = await acme.admin.post(`/api/users/${acme.member.userId}/resend-invite`)

  assert.deepEqual([again.status, again.body.sent_to], [200, 'again@engines.example'])
  assert.deepEqual([active.status, active.body.code], [409, 'conflict'])
  assert.equal((await mails('again@engines.example', 2)).length, 2)
})

test('an invitation is sent again five times a day', async () => {
  const limits = openLimits({
    redis: openRedis({ log: services.log }),
    config: { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 },
    clock,
  })
  const invite = () => takeResend(limits, 'acme', 'ada')
  for (let count = 0; count < 5; count++) await invite()

  await assert.rejects(invite, { status: 429, code: 'rate_limited' })

  await takeResend(limits, 'acme', 'grace')
})

test('an admin signs somebody out everywhere', async () => {
  const acme = await tenant()
  const phone = await acme.signIn(acme.member.userId)

  const { status, body } = await acme.admin.delete(`/api/users/${acme.member.userId}/sessions`)

  assert.deepEqual([status, body], [200, { sessions_revoked: 2 }])
  assert.deepEqual([(await phone.get('/api/users/')).status, (await acme.member.get('/api/users/')).status], [401, 401])
  assert.equal((await acme.manager.delete(`/api/users/${acme.viewer.userId}/sessions`)).status, 403)
})

test('everything personal about a deactivated user can be erased for good', async () => {
  const acme = await tenant()
  const gone = await acme.person('member', { name: 'Unmistakable Ada', email: 'unmistakable@engines.example' })
  await acme.anonymous.post('/api/auth/login', { email: gone.email, password }, { 'user-agent': 'Unmistakable/1' })
  const url = `/api/users/${gone.userId}`
  await acme.admin.patch(url, { phone: '+44 unmistakable' })

  const tooEarly = await acme.admin.delete(url)
  await acme.admin.patch(url, { status: 'deactivated' })
  const erased = await acme.admin.delete(url)
  const again = await acme.admin.delete(url)

  assert.deepEqual([tooEarly.status, tooEarly.body.code], [409, 'conflict'])
  assert.deepEqual([erased.status, erased.text], [204, ''])
  assert.equal(again.status, 409)
  const { body } = await acme.admin.get(url)
  assert.partialDeepStrictEqual(body, { status: 'erased', name: 'Former user', phone: null, auth_methods: [] })
  assert.equal((await acme.admin.patch(url, { name: 'Back' })).status, 409)
  const listed = (await acme.admin.get('/api/users/')).body.map(({ id }: { id: string }) => id)
  assert.ok(!listed.includes(gone.userId))
  assert.equal((await acme.admin.get('/api/users/?status=erased')).body.length, 1)
  assert.equal((await acme.admin.get('/api/users/?search=unmistakable')).body.length, 0)
  for (const table of ['users', 'sessions', 'login_events', 'user_identities', 'one_time_tokens', 'user_credentials']) {
    const { rows } = await acme.sql(`select t::text as row from identity.${table} t where tenant_id = $1`, [acme.id])
    assert.doesNotMatch(JSON.stringify(rows), /unmistakable/i, table)
  }
  assert.equal((await acme.admin.post('/api/users/', { email: gone.email, name: 'Ada again' })).status, 201)
})

test('erasing somebody needs a fresh sign-in', async () => {
  const acme = await tenant()
  const gone = await acme.person('member')
  await acme.admin.patch(`/api/users/${gone.userId}`, { status: 'deactivated' })
  await acme.sql(
    `update identity.sessions set authenticated_at = authenticated_at - interval '16 minutes' where id = $1`,
    [acme.admin.sessionId],
  )

  const { status, body } = await acme.admin.delete(`/api/users/${gone.userId}`)

  assert.deepEqual([status, body.code], [403, 'reauthentication_required'])
})
