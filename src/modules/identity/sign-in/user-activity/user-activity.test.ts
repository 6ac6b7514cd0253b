import assert from 'node:assert/strict'
import { test } from 'node:test'
import { password, startTestApp } from '#testing'

const { tenant, clock } = await startTestApp()

type Workspace = Awaited<ReturnType<typeof tenant>>

test('identity-4-10 users see their own sign-ins, including failed ones; only admins see those of other users', async () => {
  const acme = await tenant()
  const { member, admin } = acme
  const url = `/api/users/${member.userId}/login-history`
  const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' }
  await acme.anonymous.post('/api/auth/login', { email: member.email, password: 'not the password' }, agent)
  await acme.anonymous.post('/api/auth/login', { email: member.email, password }, agent)

  const own = await member.get(url)
  const forAdmin = await admin.get(`${url}?limit=1&offset=1`)

  assert.deepEqual([own.status, own.body.total], [200, 2])
  const [success, failure] = own.body.items
  assert.partialDeepStrictEqual(success, { outcome: 'success', method: 'password', ip: '127.0.0.1', actor: null })
  assert.deepEqual([failure.outcome, failure.device, failure.session_id], ['failure', 'Firefox on Windows', null])
  assert.ok(Math.abs(Date.parse(failure.occurred_at) - Date.now()) < 60_000)
  assert.deepEqual(
    forAdmin.body.items.map(({ id }: { id: string }) => id),
    [failure.id],
  )
  const forViewer = await acme.viewer.get(url)
  assert.deepEqual([forViewer.status, forViewer.body.code], [403, 'role_required'])
  assert.equal((await acme.manager.get(url)).status, 403)
  assert.equal((await member.get(`${url}?limit=201`)).status, 422)
  const first = await member.get(`${url}?limit=1`)
  const second = await member.get(`${url}?limit=1&cursor=${first.body.next_cursor}`)
  assert.deepEqual(
    second.body.items.map(({ id }: { id: string }) => id),
    [failure.id],
  )
})

async function setLastSeen(acme: Workspace, sessionId: string, secondsAgo: number) {
  const at = new Date(clock.now().getTime() - secondsAgo * 1_000)
  await acme.sql('update identity.sessions set last_seen_at = $1 where id = $2', [at, sessionId])
}

const onlineIds = (body: { items: { user: { id: string } }[] }) => body.items.map(({ user }) => user.id)

test('identity-4-11 users with activity within the threshold are listed until they sign out', async () => {
  const acme = await tenant()
  const url = '/api/users/admin/active-sessions'
  await setLastSeen(acme, acme.admin.sessionId, 5_000)
  await setLastSeen(acme, acme.manager.sessionId, 5_000)
  await setLastSeen(acme, acme.viewer.sessionId, 901)
  await setLastSeen(acme, acme.member.sessionId, 899)

  const { status, body } = await acme.admin.get(url)

  assert.equal(status, 200)
  assert.deepEqual(onlineIds(body), [acme.member.userId])
  assert.partialDeepStrictEqual(body, { total: 1, total_relation: 'eq', threshold_seconds: 900, next_cursor: null })
  assert.partialDeepStrictEqual(body.items[0], {
    user: { id: acme.member.userId, name: acme.member.name, email: acme.member.email, role: 'member' },
    session_count: 1,
    sessions: [{ id: acme.member.sessionId, auth_method: 'password', ip: '127.0.0.1', actor: null }],
  })
  assert.deepEqual(onlineIds((await acme.admin.get(`${url}?threshold_seconds=1000`)).body), [
    acme.member.userId,
    acme.viewer.userId,
  ])
  assert.equal((await acme.manager.get(url)).body.code, 'role_required')
  assert.equal((await acme.admin.get(`${url}?threshold_seconds=59`)).status, 422)
  await acme.member.post('/api/auth/logout')
  assert.deepEqual((await acme.admin.get(url)).body.items, [])
})

test('a new threshold in the settings applies to the next request', async () => {
  const acme = await tenant()
  await setLastSeen(acme, acme.member.sessionId, 300)
  const url = '/api/users/admin/active-sessions'
  assert.ok(onlineIds((await acme.admin.get(url)).body).includes(acme.member.userId))

  await acme.admin.patch('/api/admin/settings', { security: { activity_threshold_seconds: 60 } })
  const { body } = await acme.admin.get(url)

  assert.equal(body.threshold_seconds, 60)
  assert.ok(!onlineIds(body).includes(acme.member.userId))
})

test('a user is listed once with their ten newest sessions, and cursor pages are contiguous', async () => {
  const acme = await tenant()
  for (let count = 0; count < 11; count++) await acme.signIn(acme.viewer.userId)
  const url = '/api/users/admin/active-sessions'

  const { body } = await acme.admin.get(url)
  const first = await acme.admin.get(`${url}?limit=3`)
  const second = await acme.admin.get(`${url}?limit=3&cursor=${first.body.next_cursor}`)

  const viewer = body.items.find(({ user }: { user: { id: string } }) => user.id === acme.viewer.userId)
  assert.deepEqual([viewer.session_count, viewer.sessions.length], [12, 10])
  assert.deepEqual([first.body.total, second.body.total], [4, null])
  assert.deepEqual([...onlineIds(first.body), ...onlineIds(second.body)], onlineIds(body))
})

test('an impersonation session shows the impersonating admin', async () => {
  const acme = await tenant()
  const { rows } = await acme.sql(
    `insert into identity.sessions (tenant_id, id, user_id, kind, auth_method, authenticated_at, ip, last_seen_at, idle_expires_at,
       expires_at, parent_session_id, actor_user_id)
     select tenant_id, gen_random_uuid(), $2, 'impersonation', 'impersonation', authenticated_at, ip, last_seen_at, idle_expires_at,
       expires_at, id, user_id from identity.sessions where id = $1 returning id`,
    [acme.admin.sessionId, acme.member.userId],
  )

  const { body } = await acme.admin.get('/api/users/admin/active-sessions')

  const member = body.items.find(({ user }: { user: { id: string } }) => user.id === acme.member.userId)
  const acting = member.sessions.find(({ id }: { id: string }) => id === rows[0].id)
  assert.equal(member.session_count, 2)
  assert.deepEqual(acting.actor, { id: acme.admin.userId, name: acme.admin.name })
})

test('an expired session is not listed', async () => {
  const acme = await tenant()
  await acme.sql('update identity.sessions set idle_expires_at = $2 where id = $1', [
    acme.member.sessionId,
    clock.now(),
  ])

  const { body } = await acme.admin.get('/api/users/admin/active-sessions')

  assert.ok(!onlineIds(body).includes(acme.member.userId))
})
