// How acting as somebody else comes to an end, and that everybody hears of it once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startTestApp } from '#testing'
import { actAs, reason, type Tenant } from './impersonation.fixture.ts'

const app = await startTestApp()
await app.startTestWorker()
const me = '/api/auth/me'

const endsOf = async (acme: Tenant) => {
  const { rows } = await acme.sql(
    `select subject_id as id, data->>'reason' as reason from platform.outbox_events
     where tenant_id = $1 and type = 'impersonation.ended' order by id`,
    [acme.id],
  )
  const audited = (await acme.audit()).filter((action) => action === 'impersonation.ended')
  assert.equal(audited.length, rows.length)
  return rows
}

test('identity-7-5 it ends with the session of the admin, at once', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.member)
  const { sessionId: id } = acting
  assert.equal((await acting.get(me)).status, 200)

  await acme.admin.post('/api/auth/logout')
  const after = await acting.get(me)

  assert.deepEqual([after.status, after.body.code], [401, 'token_revoked'])
  assert.deepEqual(await endsOf(acme), [{ id, reason: 'logout' }])
  assert.equal((await acme.member.get(me)).status, 200)
})

test('identity-7-6 it ends when the admin is one no longer', async () => {
  const acme = await app.tenant()
  const [demoted, shutOut] = [await acme.person('admin'), await acme.person('admin')]
  const first = await actAs(acme, acme.member, { admin: demoted })
  const second = await actAs(acme, acme.member, { admin: shutOut })

  await acme.admin.patch(`/api/users/${demoted.userId}`, { role: 'manager' })
  await acme.admin.patch(`/api/users/${shutOut.userId}`, { status: 'deactivated' })
  const answers = [await first.get(me), await second.get(me)]

  for (const { status, body } of answers) assert.deepEqual([status, body.code], [401, 'token_revoked'])
  assert.deepEqual(await endsOf(acme), [
    { id: first.sessionId, reason: 'role_changed' },
    { id: second.sessionId, reason: 'user_deactivated' },
  ])
})

test('it ends when the person is deactivated', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.member)

  await acme.admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' })

  assert.equal((await acting.get(me)).body.code, 'token_revoked')
  assert.deepEqual(await endsOf(acme), [{ id: acting.sessionId, reason: 'user_deactivated' }])
})

test('whoever stops acting as somebody is themselves again, and the person stays signed in', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.member)

  const stopped = await acting.post('/api/auth/logout', { refresh_token: acme.member.refreshToken })

  assert.deepEqual(stopped.body, { status: 'logged_out', sessions_ended: 1 })
  assert.equal((await acting.get(me)).body.code, 'token_revoked')
  assert.equal((await acme.admin.get(me)).status, 200)
  assert.equal((await acme.member.get(me)).status, 200)
  assert.deepEqual(await endsOf(acme), [{ id: acting.sessionId, reason: 'logout' }])
})

test('an admin acts as one person at a time in a session, and another session is another matter', async () => {
  const acme = await app.tenant()
  const elsewhere = await acme.signIn(acme.admin.userId)
  const [first, other] = [await actAs(acme, acme.member), await actAs(acme, acme.viewer, { admin: elsewhere })]

  const second = await actAs(acme, acme.manager)

  assert.equal((await first.get(me)).body.code, 'token_revoked')
  assert.deepEqual([(await second.get(me)).status, (await other.get(me)).status], [200, 200])
  assert.deepEqual(await endsOf(acme), [{ id: first.sessionId, reason: 'replaced' }])
})

test('of many that are started at the same moment one is left', async () => {
  const acme = await app.tenant()
  const targets = [acme.member, acme.viewer, acme.manager, acme.member, acme.viewer]

  const answers = await Promise.all(
    targets.map(({ userId }) => acme.admin.post(`/api/users/${userId}/impersonate`, { reason })),
  )

  assert.deepEqual(
    answers.map(({ status }) => status),
    targets.map(() => 201),
  )
  const live = []
  for (const { body } of answers) live.push((await acme.bearer(`Bearer ${body.access_token}`).get(me)).status)
  assert.equal(live.filter((status) => status === 200).length, 1)
  assert.equal((await endsOf(acme)).length, 4)
})

test('none is left over when somebody is deactivated or demoted at the same moment', async () => {
  for (let round = 0; round < 5; round++) {
    const acme = await app.tenant()
    const other = await acme.person('admin')
    const start = (id: string) => other.post(`/api/users/${id}/impersonate`, { reason })

    const [started] = await Promise.all([
      start(acme.member.userId),
      acme.admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' }),
    ])
    const [begun] = await Promise.all([
      start(acme.viewer.userId),
      acme.admin.patch(`/api/users/${other.userId}`, { role: 'member' }),
    ])

    assert.ok([201, 409].includes(started.status), started.text)
    assert.ok([201, 403].includes(begun.status), begun.text)
    const { rows } = await acme.sql(
      `select count(*)::integer as live from identity.sessions where tenant_id = $1 and kind = 'impersonation' and revoked_at is null`,
      [acme.id],
    )
    assert.equal(rows[0].live, 0)
  }
})

test('identity-7-10 it ends by itself, cannot be prolonged, and the end is told once', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.member, { duration_seconds: 300 })
  const { access_token: token, expires_in } = acting.body
  const refresh = await acme.anonymous.post('/api/auth/refresh', { refresh_token: token })
  app.clock.advance(expires_in - 5)
  const justBefore = await acting.get(me)
  app.clock.advance(6)
  const atTheEnd = await acting.get(me)
  app.clock.advance(-expires_in - 1)

  assert.deepEqual([refresh.status, refresh.body.code], [401, 'invalid_token'])
  assert.equal(justBefore.status, 200)
  assert.deepEqual([atTheEnd.status, atTheEnd.body.code], [401, 'token_expired'])
  const tokens = await acme.sql('select count(*)::integer as n from identity.refresh_tokens where session_id = $1', [
    acting.sessionId,
  ])
  assert.equal(tokens.rows[0].n, 0)

  await acme.sql(
    `update pgboss.job set start_after = now() where group_id = $1::text and data->>'job' = 'identity.end_impersonation'`,
    [acme.id],
  )
  for (let tries = 0; tries < 100 && (await endsOf(acme)).length === 0; tries++) await sleep(100)
  assert.deepEqual(await endsOf(acme), [{ id: acting.sessionId, reason: 'expired' }])
})

test('it never outlives the session it hangs on', async () => {
  const acme = await app.tenant()
  await acme.sql(`update identity.sessions set expires_at = now() + interval '10 minutes' where id = $1`, [
    acme.admin.sessionId,
  ])

  const { body } = await actAs(acme, acme.member)

  assert.ok(body.expires_in > 590 && body.expires_in <= 600, body.expires_in)
})
