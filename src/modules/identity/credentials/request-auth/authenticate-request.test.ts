import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import type { ManagedRequestAuthenticator } from './authenticate-request.ts'

const app = await startTestApp()
const authenticator = app.services.authenticator as ManagedRequestAuthenticator

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const keyOf = async (acme: Tenant, scopes: string[]) => {
  const { id, key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes })).body
  return { id, client: acme.bearer(`ApiKey ${key}`) }
}

const me = '/api/auth/me'

test('a suspended workspace rejects every request and a deleted one is not found', async () => {
  const acme = await app.tenant()
  const { client } = await keyOf(acme, ['crm.read'])
  const responses = async () => [
    await acme.member.get(me),
    await client.get(me),
    await acme.anonymous.get('/api/auth/sso/providers'),
    await acme.anonymous.post('/api/auth/login', { email: 'a@example.com', password: 'x' }),
  ]

  await acme.sql(`update identity.tenants set status = 'suspended' where id = $1`, [acme.id])
  const suspended = await responses()
  await acme.sql(`update identity.tenants set status = 'deleting', delete_after = now() where id = $1`, [acme.id])
  const deleting = await responses()
  await acme.sql(`update identity.tenants set status = 'active', delete_after = null where id = $1`, [acme.id])
  const resumed = await responses()

  for (const { status, body } of suspended) assert.deepEqual([status, body.code], [403, 'tenant_suspended'])
  for (const { status, body } of deleting) assert.deepEqual([status, body.code], [404, 'tenant_not_found'])
  assert.deepEqual(
    resumed.map(({ status }) => status),
    [200, 200, 200, 401],
  )
})

test('an unknown host is not found', async () => {
  const nowhere = app.client({ host: `nowhere.${app.domain}` })

  const responses = [await nowhere.get('/api/auth/sso/providers'), await nowhere.get(me)]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'tenant_not_found'])
})

test('malformed credentials are rejected with a specific code', async () => {
  const acme = await app.tenant()

  const codes: Record<string, string> = {}
  for (const header of ['Basic YTpi', 'Bearer', 'Bearer a b', 'ApiKey nonsense', 'Bearer nonsense', 'Bearer a.b.c'])
    codes[header] = (await acme.bearer(header).get(me)).body.code
  const none = await acme.anonymous.get(me)

  assert.deepEqual(codes, {
    'Basic YTpi': 'authentication_required',
    Bearer: 'authentication_required',
    'Bearer a b': 'authentication_required',
    'ApiKey nonsense': 'invalid_token',
    'Bearer nonsense': 'invalid_token',
    'Bearer a.b.c': 'invalid_token',
  })
  assert.equal(none.body.code, 'authentication_required')
})

test('presence is updated at most once per minute', async () => {
  const acme = await app.tenant()
  const seen = async () => {
    await authenticator.flush()
    const { rows } = await acme.sql(
      `select s.last_seen_at as session, p.last_seen_at as person from identity.sessions s
       join identity.user_presence p on p.tenant_id = s.tenant_id and p.user_id = s.user_id where s.id = $1`,
      [acme.member.sessionId],
    )
    return rows[0]
  }
  app.clock.advance(120)
  await acme.member.get(me)
  const first = await seen()
  app.clock.advance(30)
  await acme.member.get(me)
  const soon = await seen()
  app.clock.advance(31)
  await acme.member.get(me)
  const later = await seen()

  assert.deepEqual(first.session, first.person)
  assert.deepEqual(soon, first)
  assert.ok(later.session.getTime() - first.session.getTime() >= 61_000)
})

test('impersonation does not update the presence of the user and ends with the admin session', async () => {
  const acme = await app.tenant()
  const { admin, member } = acme
  const sessionId = newId()
  await acme.sql(
    `insert into identity.sessions (tenant_id, id, user_id, kind, auth_method, authenticated_at, ip, last_seen_at, idle_expires_at, expires_at, parent_session_id, actor_user_id, reason)
     select tenant_id, $2, $3, 'impersonation', 'impersonation', authenticated_at, ip, last_seen_at, idle_expires_at, expires_at, id, user_id, 'A call for help'
     from identity.sessions where id = $1`,
    [admin.sessionId, sessionId, member.userId],
  )
  const grant = {
    tenantId: acme.id,
    userId: member.userId,
    sessionId,
    authenticatedAt: app.clock.now(),
    method: 'impersonation',
  }
  const impersonator = acme.bearer(
    `Bearer ${await app.tokens.signAccessToken({ ...grant, actorUserId: admin.userId })}`,
  )

  const currentUser = await impersonator.get(me)
  const rejected = await impersonator.post('/api/auth/change-password', {})
  await authenticator.flush()
  const presence = await acme.sql('select last_seen_at from identity.user_presence where user_id = $1', [member.userId])
  await admin.post('/api/auth/logout')
  const after = await impersonator.get(me)

  assert.equal(currentUser.body.id, member.userId)
  assert.deepEqual(currentUser.body.impersonation.actor, { id: admin.userId, name: admin.name, email: admin.email })
  assert.equal(currentUser.body.impersonation.reason, 'A call for help')
  assert.equal(rejected.body.code, 'impersonation_not_allowed')
  assert.equal(presence.rows[0].last_seen_at, null)
  assert.deepEqual([after.status, after.body.code], [401, 'token_revoked'])
  assert.equal((await member.get(me)).status, 200)
})

test('a self-registered user must verify the email address if the workspace requires it', async () => {
  const acme = await app.tenant()
  const { member } = acme
  await acme.sql(`update identity.users set source = 'signup', email_verified_at = null where id = $1`, [member.userId])
  const limited = await member.get('/api/users/')
  const currentUser = await member.get(me)

  const doc = JSON.stringify({ require_verified_email: false })
  await acme.sql(`insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'signup', $2)`, [
    acme.id,
    doc,
  ])
  const open = await member.get('/api/users/')

  assert.deepEqual([limited.status, limited.body.code], [403, 'email_verification_required'])
  assert.equal(currentUser.body.email_verification_required, true)
  assert.equal(open.status, 200)
})

test('the current user includes scopes, session and API key', async () => {
  const acme = await app.tenant()
  const { id, client } = await keyOf(acme, ['users.read', 'leads.write'])

  const [bySession, byKey] = [(await acme.member.get(me)).body, (await client.get(me)).body]

  assert.equal(bySession.email, acme.member.email)
  const { general: _general, ...workspace } = bySession.tenant
  assert.deepEqual(workspace, {
    id: acme.id,
    slug: acme.slug,
    name: acme.name,
    branding: { logo_url: null, primary_color: null, email_from_name: null, email_footer: null },
  })
  assert.equal(bySession.scopes.length, 81)
  assert.deepEqual(bySession.scopes, bySession.scopes.toSorted())
  assert.equal(bySession.session.id, acme.member.sessionId)
  assert.equal(bySession.api_key, null)
  assert.equal(byKey.session, null)
  assert.deepEqual(byKey.api_key, { id, name: 'Machine', preset: null })
  assert.deepEqual(byKey.scopes, ['leads.write', 'users.read'])
})
