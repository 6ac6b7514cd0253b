// Ways in which an impersonation ends, each announced once.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitUntil } from '#testing'
import { impersonate, reason, type Tenant } from './impersonation.fixture.ts'

const app = await startTestApp()
await app.startTestWorker()
const me = '/api/auth/me'

/** Reads events and audit entries in one statement, because a worker may write both in between. */
const endsOf = async (acme: Tenant): Promise<{ id: string; reason: string }[]> => {
  const { rows } = await acme.sql(
    `select coalesce(json_agg(json_build_object('id', subject_id, 'reason', data->>'reason') order by id), '[]') as ends,
       (select count(*)::integer from platform.audit_log
        where tenant_id = $1 and action = 'impersonation.ended') as audited
     from platform.outbox_events where tenant_id = $1 and type = 'impersonation.ended'`,
    [acme.id],
  )
  const [{ ends, audited }] = rows
  assert.equal(audited, ends.length)
  return ends
}

test('identity-7-5 an impersonation ends immediately with the session of the admin', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.member)
  const { sessionId: id } = impersonator
  assert.equal((await impersonator.get(me)).status, 200)

  await acme.admin.post('/api/auth/logout')
  const after = await impersonator.get(me)

  assert.deepEqual([after.status, after.body.code], [401, 'token_revoked'])
  assert.deepEqual(await endsOf(acme), [{ id, reason: 'logout' }])
  assert.equal((await acme.member.get(me)).status, 200)
})

test('identity-7-6 an impersonation ends when the admin loses the role', async () => {
  const acme = await app.tenant()
  const [demoted, deactivation] = [await acme.person('admin'), await acme.person('admin')]
  const first = await impersonate(acme, acme.member, { admin: demoted })
  const second = await impersonate(acme, acme.member, { admin: deactivation })

  await acme.admin.patch(`/api/users/${demoted.userId}`, { role: 'manager' })
  await acme.admin.patch(`/api/users/${deactivation.userId}`, { status: 'deactivated' })
  const responses = [await first.get(me), await second.get(me)]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [401, 'token_revoked'])
  assert.deepEqual(await endsOf(acme), [
    { id: first.sessionId, reason: 'role_changed' },
    { id: second.sessionId, reason: 'user_deactivated' },
  ])
})

test('an impersonation ends when the user is deactivated', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.member)

  await acme.admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' })

  assert.equal((await impersonator.get(me)).body.code, 'token_revoked')
  assert.deepEqual(await endsOf(acme), [{ id: impersonator.sessionId, reason: 'user_deactivated' }])
})

test('signing out of an impersonation keeps the sessions of the admin and the user', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.member)

  const stopped = await impersonator.post('/api/auth/logout', { refresh_token: acme.member.refreshToken })

  assert.deepEqual(stopped.body, { status: 'logged_out', sessions_ended: 1 })
  assert.equal((await impersonator.get(me)).body.code, 'token_revoked')
  assert.equal((await acme.admin.get(me)).status, 200)
  assert.equal((await acme.member.get(me)).status, 200)
  assert.deepEqual(await endsOf(acme), [{ id: impersonator.sessionId, reason: 'logout' }])
})

test('a session has at most one impersonation and other sessions are independent', async () => {
  const acme = await app.tenant()
  const elsewhere = await acme.signIn(acme.admin.userId)
  const [first, other] = [
    await impersonate(acme, acme.member),
    await impersonate(acme, acme.viewer, { admin: elsewhere }),
  ]

  const second = await impersonate(acme, acme.manager)

  assert.equal((await first.get(me)).body.code, 'token_revoked')
  assert.deepEqual([(await second.get(me)).status, (await other.get(me)).status], [200, 200])
  assert.deepEqual(await endsOf(acme), [{ id: first.sessionId, reason: 'replaced' }])
})

test('one of several concurrent impersonations remains', async () => {
  const acme = await app.tenant()
  const targets = [acme.member, acme.viewer, acme.manager, acme.member, acme.viewer]

  const responses = await Promise.all(
    targets.map(({ userId }) => acme.admin.post(`/api/users/${userId}/impersonate`, { reason })),
  )

  assert.deepEqual(
    responses.map(({ status }) => status),
    targets.map(() => 201),
  )
  const live = []
  for (const { body } of responses) live.push((await acme.bearer(`Bearer ${body.access_token}`).get(me)).status)
  assert.equal(live.filter((status) => status === 200).length, 1)
  assert.equal((await endsOf(acme)).length, 4)
})

test('no impersonation survives a concurrent deactivation or role change', async () => {
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

test('identity-7-10 an impersonation expires, cannot be refreshed and its end is announced once', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.member, { duration_seconds: 300 })
  const { access_token: token, expires_in } = impersonator.body
  const refresh = await acme.anonymous.post('/api/auth/refresh', { refresh_token: token })
  app.clock.advance(expires_in - 5)
  const justBefore = await impersonator.get(me)
  app.clock.advance(6)
  const atTheEnd = await impersonator.get(me)
  app.clock.advance(-expires_in - 1)

  assert.deepEqual([refresh.status, refresh.body.code], [401, 'invalid_token'])
  assert.equal(justBefore.status, 200)
  assert.deepEqual([atTheEnd.status, atTheEnd.body.code], [401, 'token_expired'])
  const tokens = await acme.sql('select count(*)::integer as n from identity.refresh_tokens where session_id = $1', [
    impersonator.sessionId,
  ])
  assert.equal(tokens.rows[0].n, 0)

  await acme.sql(
    `update pgboss.job set start_after = now() where group_id = $1::text and data->>'job' = 'identity.end_impersonation'`,
    [acme.id],
  )
  await waitUntil(async () => (await endsOf(acme)).length > 0)
  assert.deepEqual(await endsOf(acme), [{ id: impersonator.sessionId, reason: 'expired' }])
})

test('an impersonation never outlives the session of the admin', async () => {
  const acme = await app.tenant()
  await acme.sql(`update identity.sessions set expires_at = now() + interval '10 minutes' where id = $1`, [
    acme.admin.sessionId,
  ])

  const { body } = await impersonate(acme, acme.member)

  assert.ok(body.expires_in > 590 && body.expires_in <= 600, body.expires_in)
})
