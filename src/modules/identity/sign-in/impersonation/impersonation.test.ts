import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeJwt } from 'jose'
import { newId } from '#platform/ids'
import { password, startTestApp } from '#testing'
import { impersonate, reason, type Tenant } from './impersonation.fixture.ts'

const app = await startTestApp()
await app.startTestWorker()
const me = '/api/auth/me'

const setSecurity = (acme: Tenant, security: object) => acme.admin.patch('/api/admin/settings', { security })

test('identity-7-1 an admin impersonates a member and both are recorded in the audit log', async () => {
  const acme = await app.tenant()
  const { admin, manager } = acme
  const impersonator = await impersonate(acme, manager)

  const currentUser = await impersonator.get(me)
  const team = await impersonator.post('/api/teams/', { name: 'Support', members: [{ user_id: manager.userId }] })

  assert.equal(currentUser.body.id, manager.userId)
  assert.deepEqual(currentUser.body.impersonation.actor, { id: admin.userId, name: admin.name, email: admin.email })
  assert.deepEqual([currentUser.body.impersonation.reason, currentUser.body.scopes.length], [reason, 109])
  assert.equal(team.status, 201)
  const { rows: members } = await acme.sql('select added_by from identity.team_members where team_id = $1', [
    team.body.id,
  ])
  assert.equal(members[0].added_by, manager.userId)
  const { rows: entries } = await acme.sql(
    `select actor_type, user_id, actor_user_id, session_id from platform.audit_log where tenant_id = $1 and action = 'team.created'`,
    [acme.id],
  )
  const { userId: user_id } = manager
  const both = { actor_type: 'impersonation', user_id, actor_user_id: admin.userId, session_id: impersonator.sessionId }
  assert.deepEqual(entries, [both])
  const { rows: events } = await acme.sql(
    `select actor from platform.outbox_events where tenant_id = $1 and type = 'team.created'`,
    [acme.id],
  )
  assert.deepEqual(events[0].actor, { type: 'impersonation', id: user_id, actor_user_id: admin.userId })
})

test('the response has a token with the admin as actor, an expiry and no refresh token', async () => {
  const acme = await app.tenant()

  const { body, headers, status } = await acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, { reason })
  const short = await impersonate(acme, acme.member, { duration_seconds: 300 })

  const { access_token, session_id, ...rest } = body
  const { userId: id, email, name, role } = acme.member
  assert.equal(status, 201)
  assert.deepEqual(rest, {
    refresh_token: null,
    token_type: 'Bearer',
    expires_in: 1_800,
    must_change_password: false,
    user: { id, email, name, role },
  })
  const claims = decodeJwt(access_token)
  assert.deepEqual(claims.act, { sub: acme.admin.userId })
  assert.deepEqual([claims.sub, claims.sid, claims.tid], [id, session_id, acme.id])
  assert.ok(Math.abs(claims.exp! - claims.iat! - 1_800) <= 1)
  assert.equal(short.body.expires_in, 300)
  assert.equal(headers['cache-control'], 'no-store')
  const response = await acme.bearer(`Bearer ${short.body.access_token}`).get(me)
  assert.equal(response.headers['x-impersonated-by'], acme.admin.userId)
  assert.equal((await acme.admin.get(me)).headers['x-impersonated-by'], undefined)
})

test('identity-7-4 impersonation cannot be nested', async () => {
  const acme = await app.tenant()
  await setSecurity(acme, { impersonation_admin_targets: true })
  const other = await acme.person('admin')
  const impersonator = await impersonate(acme, other)

  const nested = await impersonator.post(`/api/users/${acme.member.userId}/impersonate`, { reason })

  assert.deepEqual([nested.status, nested.body.code], [403, 'impersonation_not_allowed'])
})

test('identity-7-7 only an admin with a user session can impersonate', async () => {
  const acme = await app.tenant()
  const url = `/api/users/${acme.viewer.userId}/impersonate`
  const { key } = (await acme.admin.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read', 'crm.write'] })).body

  const byManager = await acme.manager.post(url, { reason })
  const byKey = await acme.bearer(`ApiKey ${key}`).post(url, { reason })
  const byAnonymous = await acme.anonymous.post(url, { reason })

  assert.deepEqual([byManager.status, byManager.body.required_scope], [403, 'users.write'])
  assert.deepEqual([byKey.status, byKey.body.code], [403, 'session_required'])
  assert.equal(byAnonymous.status, 401)
})

test('identity-7-8 a user of another workspace is not found', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]

  const foreign = await acme.admin.post(`/api/users/${beta.member.userId}/impersonate`, { reason })
  const unknown = await acme.admin.post(`/api/users/${newId()}/impersonate`, { reason })

  for (const { status, body } of [foreign, unknown]) assert.deepEqual([status, body.code], [404, 'not_found'])
  const impersonator = await impersonate(acme, acme.member)
  const elsewhere = app.client({
    host: beta.host,
    headers: { authorization: `Bearer ${impersonator.body.access_token}` },
  })
  assert.equal((await elsewhere.get(me)).body.code, 'tenant_mismatch')
})

test('identity-7-9 admins cannot be impersonated unless the workspace allows it', async () => {
  const acme = await app.tenant()
  const other = await acme.person('admin')
  const attempt = () => acme.admin.post(`/api/users/${other.userId}/impersonate`, { reason })

  const rejected = await attempt()
  await setSecurity(acme, { impersonation_admin_targets: true })
  const allowed = await attempt()

  assert.deepEqual([rejected.status, rejected.body.code], [403, 'impersonation_not_allowed'])
  assert.equal(allowed.status, 201)
})

test('a workspace can disable impersonation, and then no notification is sent', async () => {
  const acme = await app.tenant()
  await setSecurity(acme, { impersonation_enabled: false })
  const before = await acme.events()

  const rejected = await acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, { reason })

  assert.deepEqual([rejected.status, rejected.body.code], [403, 'impersonation_not_allowed'])
  assert.deepEqual(await acme.events(), before)
})

test('admins cannot impersonate themselves or inactive users', async () => {
  const acme = await app.tenant()
  const invited = await acme.admin.post('/api/users/', { email: 'ada@engines.example', name: 'Ada' })
  await acme.admin.patch(`/api/users/${acme.viewer.userId}`, { status: 'deactivated' })
  const attempt = (id: string) => acme.admin.post(`/api/users/${id}/impersonate`, { reason })

  const responses = [
    await attempt(acme.admin.userId),
    await attempt(invited.body.id),
    await attempt(acme.viewer.userId),
  ]

  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.code]),
    [
      [409, 'self_change'],
      [409, 'conflict'],
      [409, 'conflict'],
    ],
  )
})

test('impersonation requires a reason, a valid duration and a recent sign-in', async () => {
  const acme = await app.tenant()
  const attempt = (body: object) => acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, body)

  const wrong = [
    {},
    { reason: 'why' },
    { reason: '  why    ' },
    { reason: 'x'.repeat(501) },
    { reason, duration_seconds: 299 },
    { reason, duration_seconds: 3_601 },
    { reason, duration_seconds: 600.5 },
    { reason, actor_user_id: acme.viewer.userId },
  ]
  const responses = []
  for (const body of wrong) responses.push((await attempt(body)).status)
  const malformed = await acme.admin.post('/api/users/abc/impersonate', { reason })
  await acme.sql(`update identity.sessions set authenticated_at = now() - interval '16 minutes' where id = $1`, [
    acme.admin.sessionId,
  ])
  const stale = await attempt({ reason })

  assert.deepEqual(
    responses,
    wrong.map(() => 422),
  )
  assert.equal(malformed.status, 422)
  assert.deepEqual([stale.status, stale.body.code], [403, 'reauthentication_required'])
})

test('identity-7-11 the impersonation is in the login history of the user but not in their sessions', async () => {
  const acme = await app.tenant()
  const { admin, member } = acme
  const { sessionId } = await impersonate(acme, member)

  const sessions = await member.get('/api/auth/sessions')
  const history = await member.get(`/api/users/${member.userId}/login-history`)
  const ended = await member.delete(`/api/auth/sessions/${sessionId}`)

  assert.deepEqual(
    sessions.body.items.map(({ id }: { id: string }) => id),
    [member.sessionId],
  )
  assert.partialDeepStrictEqual(history.body.items[0], {
    outcome: 'success',
    method: 'impersonation',
    session_id: sessionId,
    actor: { id: admin.userId, name: admin.name },
  })
  assert.equal(ended.status, 404)
})

test('the user is notified by email unless the workspace disables it', async () => {
  const acme = await app.tenant()
  const { admin, member, viewer } = acme
  const countNotices = async () => (await acme.jobs()).filter((job) => job === 'identity.send_security_notice').length

  await impersonate(acme, member)
  const [mail] = await app.mails(member.email, 1)
  await setSecurity(acme, { impersonation_notify: false })
  const noticesBefore = await countNotices()
  await impersonate(acme, viewer)

  assert.ok(mail!.text!.includes(admin.name) && mail!.text!.includes(reason), mail!.text)
  assert.equal(await countNotices(), noticesBefore)
})

test('the network of an impersonating admin does not become a known network of the user', async () => {
  const acme = await app.tenant()
  const { member } = acme
  const there = { remoteAddress: '203.0.113.7' }
  const login = (from: object) => acme.anonymous.with(from).post('/api/auth/login', { email: member.email, password })
  await login({ remoteAddress: '198.51.100.1' })
  await impersonate(acme, member, { admin: acme.admin.with(there) })

  await login(there)

  const subjects = (await app.mails(member.email, 2)).map(({ subject }) => subject)
  assert.ok(
    subjects.some((subject) => subject?.startsWith('Sign-in from a new device')),
    subjects.join(),
  )
})

test('an idempotent retry does not start another impersonation or return the token', async () => {
  const acme = await app.tenant()
  const url = `/api/users/${acme.member.userId}/impersonate`
  const key = { 'idempotency-key': 'act-once' }

  const first = await acme.admin.post(url, { reason }, key)
  const again = await acme.admin.post(url, { reason }, key)

  assert.deepEqual(again.body, { ...first.body, access_token: null })
  assert.equal((await acme.bearer(`Bearer ${first.body.access_token}`).get(me)).status, 200)
})
