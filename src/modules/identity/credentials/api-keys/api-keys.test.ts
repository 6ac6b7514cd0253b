import assert from 'node:assert/strict'
import { test } from 'node:test'
import { describeResource, grantsAccess, resources } from '#platform/access'
import { hashToken } from '#platform/secrets'
import { startTestApp } from '#testing'
import { generateKey } from './key-format.rules.ts'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
/** Other resources are reserved for modules that do not exist yet. */
const usableResources = resources.filter((resource) => describeResource(resource) !== null)

const create = (person: Tenant['member'], fields: object = {}, headers: Record<string, string> = {}) =>
  person.post('/api/api-keys', { name: 'Nightly export', scopes: ['crm.read'], ...fields }, headers)
const secure = (acme: Tenant, doc: object) =>
  acme.sql(`insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'security', $2)`, [acme.id, doc])

test('identity-6-1 a key is returned once and the database stores only its hash', async () => {
  const acme = await app.tenant()

  const response = await create(acme.member, { scopes: ['crm.read', 'leads.write', 'users.write'] })

  assert.equal(response.status, 201, response.text)
  const { id, key, created_at, effective_scopes, ...rest } = response.body
  assert.match(key, /^svc_live_[0-9A-Za-z]{38}$/)
  assert.ok(effective_scopes.length > 20 && effective_scopes.every(grantsAccess))
  assert.ok(effective_scopes.includes('leads.write') && !effective_scopes.includes('users.write'))
  assert.deepEqual(rest, {
    name: 'Nightly export',
    key_prefix: key.slice(0, 15),
    last_four: key.slice(-4),
    scopes: ['crm.read', 'leads.write', 'users.write'],
    preset: null,
    connected_app: null,
    expires_at: null,
    last_used_at: null,
    last_used_ip: null,
    status: 'active',
    created_by: { id: acme.member.userId, name: acme.member.name },
    revoked_at: null,
    revoke_reason: null,
  })
  const read = [await acme.member.get(`/api/api-keys/${id}`), await acme.member.get('/api/api-keys')]
  assert.deepEqual(read[0]!.body, { id, created_at, effective_scopes, ...rest })
  assert.deepEqual(read[1]!.body.items, [read[0]!.body])
  assert.ok(read.every(({ text }) => !text.includes(key.slice(15, -4))))
  const stored = await acme.sql('select to_jsonb(k)::text as row, key_hash from identity.api_keys k where id = $1', [
    id,
  ])
  assert.ok(!stored.rows[0].row.includes(key.slice(15, -4)))
  assert.ok(stored.rows[0].key_hash.equals(hashToken(key)))
  assert.equal((await acme.bearer(`ApiKey ${key}`).get('/api/auth/me')).status, 200)
  assert.deepEqual(await acme.events(), ['api_key.created'])
  const audit = await acme.sql('select changes::text from platform.audit_log where tenant_id = $1', [acme.id])
  assert.ok(!audit.rows[0].changes.includes(key.slice(15, -4)))
})

test('an idempotent retry creates one key and does not return it again', async () => {
  const acme = await app.tenant()

  const first = await create(acme.member, {}, { 'idempotency-key': 'once' })
  const again = await create(acme.member, {}, { 'idempotency-key': 'once' })

  assert.equal(again.status, 201)
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.deepEqual(again.body, { ...first.body, key: null })
})

test('identity-6-10 an API key cannot create keys or sign out, but can get the current user', async () => {
  const acme = await app.tenant()
  const { key, id } = (await create(acme.member, { scopes: ['users.read'] })).body
  const machine = acme.bearer(`Bearer ${key}`)

  const made = await machine.post('/api/api-keys', { name: 'Another', scopes: ['crm.read'] })
  const loggedOut = await machine.post('/api/auth/logout')
  const me = await machine.get('/api/auth/me')

  for (const { status, body } of [made, loggedOut]) assert.deepEqual([status, body.code], [403, 'session_required'])
  assert.equal(me.status, 200)
  assert.deepEqual(me.body.api_key, { id, name: 'Nightly export', preset: null })
})

test('a key can get its user and its scopes, whatever they are', async () => {
  const acme = await app.tenant()
  const { key } = (await create(acme.member, { scopes: ['leads.read'] })).body

  const machine = acme.bearer(`ApiKey ${key}`)
  const me = await machine.get('/api/auth/me')
  const others = await machine.get('/api/users/')

  assert.deepEqual([me.status, me.body.id, me.body.scopes], [200, acme.member.userId, ['leads.read']])
  assert.deepEqual([others.status, others.body.required_scope], [403, 'users.read'])
})

test('unknown scopes, invalid names and unknown apps are rejected', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const foreign = await beta.sql(
    `insert into identity.connected_apps (tenant_id, id, name) values ($1, gen_random_uuid(), 'Theirs') returning id`,
    [beta.id],
  )

  const statusOf = async (fields: object) => (await create(acme.member, fields)).status
  const unknownApp = await create(acme.member, { connected_app_id: foreign.rows[0].id })
  const none = await acme.member.post('/api/api-keys', { name: 'Nothing' })

  for (const scopes of [['leads.fly'], [], ['crm.read', 'crm.read'], 'crm.read', ['admin']])
    assert.equal(await statusOf({ scopes }), 422)
  for (const fields of [
    { name: '' },
    { name: 'x'.repeat(81) },
    { preset: 'admin' },
    { key: generateKey() },
    { created_by: beta.id },
  ])
    assert.equal(await statusOf(fields), 422)
  assert.deepEqual([unknownApp.status, unknownApp.body.code], [422, 'unknown_reference'])
  assert.deepEqual([none.status, none.body.errors[0].path], [422, '/scopes'])
})

test('a read-only key needs no scopes and cannot write', async () => {
  const acme = await app.tenant()

  const { body } = await create(acme.admin, { scopes: undefined, preset: 'read_only' })
  const machine = acme.bearer(`ApiKey ${body.key}`)

  assert.deepEqual(body.effective_scopes, usableResources.map((resource) => `${resource}.read`).sort())
  assert.equal((await machine.get('/api/users/')).status, 200)
  assert.equal((await machine.post('/api/users/', {})).body.code, 'read_only_key')
})

test('a key with the preset full has all scopes of its creator', async () => {
  const acme = await app.tenant()

  const { body } = await create(acme.manager, { scopes: undefined, preset: 'full' })
  const withScopes = await create(acme.manager, { preset: 'full' })
  const machine = acme.bearer(`ApiKey ${body.key}`)
  const read = await machine.get('/api/teams/')
  const written = await machine.post('/api/teams/', { name: 'Looms' })

  assert.deepEqual([body.scopes, body.preset], [['crm.read', 'crm.write', 'crm.delete'], null])
  assert.deepEqual([read.status, written.status], [200, 201])
  assert.equal((await machine.get('/api/admin/settings')).body.required_scope, 'admin.read')
  assert.deepEqual([withScopes.status, withScopes.body.errors[0].code], [422, 'not_allowed'])
})

test('a self-registered user must verify the email address before creating keys', async () => {
  const acme = await app.tenant()
  await acme.sql(`update identity.users set source = 'signup', email_verified_at = null where id = $1`, [
    acme.member.userId,
  ])
  const before = await create(acme.member)
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'signup', '{"require_verified_email":false}')`,
    [acme.id],
  )
  const unverified = await create(acme.member)
  await acme.sql('update identity.users set email_verified_at = now() where id = $1', [acme.member.userId])
  const verified = await create(acme.member)

  for (const { status, body } of [before, unverified])
    assert.deepEqual([status, body.code], [403, 'email_verification_required'])
  assert.equal(verified.status, 201)
})

test('a key expires at a timestamp or at the end of a date, never in the past', async () => {
  const acme = await app.tenant()
  const day = new Date(app.clock.now().getTime() + 3 * 86_400_000).toISOString().slice(0, 10)

  const withDay = await create(acme.member, { expires_at: day })
  const withInstant = await create(acme.member, { expires_at: `${day}T12:00:00+02:00` })
  const rejected = []
  for (const expires_at of [
    '2020-01-01',
    '2020-01-01T00:00:00Z',
    'tomorrow',
    'infinity',
    '2026-02-30',
    '2016-12-31T23:59:60Z',
    '2099-12-31T23:59:60Z',
    '2099-12-31T12:00:00+16:00',
  ])
    rejected.push((await create(acme.member, { expires_at })).status)

  assert.equal(withDay.body.expires_at, `${day}T23:59:59.999Z`)
  assert.equal(withInstant.body.expires_at, `${day}T10:00:00.000Z`)
  assert.deepEqual(new Set(rejected), new Set([422]))
})

test('a workspace can restrict keys to admins and limit their lifetime', async () => {
  const acme = await app.tenant()
  await secure(acme, { api_key_policy: 'admins_only', api_key_max_days: 10 })
  const inDays = (days: number) => new Date(app.clock.now().getTime() + days * 86_400_000 - 1_000).toISOString()

  const member = await create(acme.member, { expires_at: inDays(1) })
  const [endless, tooLong, fine] = [
    await create(acme.admin),
    await create(acme.admin, { expires_at: inDays(11) }),
    await create(acme.admin, { expires_at: inDays(10) }),
  ]

  assert.deepEqual([member.status, member.body.code], [403, 'role_required'])
  assert.deepEqual([endless.status, tooLong.status, fine.status], [422, 422, 201])
})

test('a user cannot have more than a hundred keys, even with concurrent creates', async () => {
  const acme = await app.tenant()
  await acme.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by)
     select $1, gen_random_uuid(), 'Key ' || n, 'svc_live_', '0000', sha256(n::text::bytea), '{crm.read}', $2 from generate_series(1, 99) n`,
    [acme.id, acme.member.userId],
  )

  const responses = await Promise.all([create(acme.member), create(acme.member), create(acme.member)])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409, 409])
  assert.equal((await create(acme.manager)).status, 201)
})

test('a workspace cannot have more than a thousand active keys', async () => {
  const acme = await app.tenant()
  await acme.sql(
    `with crowd as (
       insert into identity.users (tenant_id, id, email, name, status, forecast_participant, source, search_text)
       select $1, gen_random_uuid(), n || '@crowd.example', 'Ada Example', 'active', true, 'sample', '' from generate_series(1, 10) n
       returning id
     )
     insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by)
     select $1, gen_random_uuid(), 'Key', 'svc_live_', '0000', sha256((crowd.id::text || n)::bytea), '{crm.read}', crowd.id
     from crowd, generate_series(1, 100) n`,
    [acme.id],
  )

  const full = await create(acme.member)
  await acme.sql(
    `update identity.api_keys set expires_at = now() - interval '1 day'
     where id in (select id from identity.api_keys where tenant_id = $1 limit 1)`,
    [acme.id],
  )
  const fits = await create(acme.member)

  assert.deepEqual([full.status, full.body.code, fits.status], [409, 'conflict', 201])
})
