import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const createKey = async (person: Tenant['member'], fields: object = {}) =>
  (await person.post('/api/api-keys', { name: 'Nightly export', scopes: ['crm.read'], ...fields })).body
const rotate = (person: Tenant['member'], id: string, body?: object, headers?: Record<string, string>) =>
  person.post(`/api/api-keys/${id}/rotate`, body, headers)
const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1_000)

test('identity-6-11 both keys work during the overlap', async () => {
  const acme = await app.tenant()
  const old = await createKey(acme.member)

  const { status, body, headers } = await rotate(acme.member, old.id, { overlap_seconds: 60 })
  const ask = async () => {
    const responses = [old.key, body.key].map((key) => acme.bearer(`ApiKey ${key}`).get('/api/auth/me'))
    return (await Promise.all(responses)).map((response) => response.status)
  }
  const during = await ask()
  const fetched = await acme.member.get(`/api/api-keys/${old.id}`)
  app.clock.advance(61)
  const afterwards = await ask()

  assert.equal(status, 201)
  assert.equal(headers.location, `/api/api-keys/${body.id}`)
  assert.ok(body.id !== old.id && body.key !== old.key)
  assert.deepEqual(
    [during, afterwards],
    [
      [200, 200],
      [401, 200],
    ],
  )
  const ends = Date.parse(fetched.body.expires_at) - Date.parse(body.created_at)
  assert.deepEqual([fetched.body.status, ends], ['active', 60_000])
  assert.deepEqual(await acme.events(), ['api_key.created', 'api_key.created', 'api_key.rotated'])
  assert.deepEqual(await acme.audit(), ['api_key.created', 'api_key.created', 'api_key.rotated'])
})

test('without an overlap the old key is revoked immediately', async () => {
  const acme = await app.tenant()
  const old = await createKey(acme.member)

  const rotated = await rotate(acme.member, old.id)
  const rejected = await acme.bearer(`ApiKey ${old.key}`).get('/api/auth/me')
  const again = await rotate(acme.member, old.id)

  assert.equal(rotated.status, 201)
  assert.deepEqual([rejected.status, rejected.body.code], [401, 'token_revoked'])
  assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
  assert.partialDeepStrictEqual((await acme.member.get(`/api/api-keys/${old.id}`)).body, {
    status: 'revoked',
    revoke_reason: 'rotated',
  })
})

test('the new key has the same fields and lifetime as the old one', async () => {
  const acme = await app.tenant()
  const { id: connected_app_id } = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const fields = { preset: 'read_only', connected_app_id, expires_at: later(3_600).toISOString() }
  const old = await createKey(acme.member, fields)
  await acme.sql('update identity.api_keys set requests_per_minute = 6000 where id = $1', [old.id])
  app.clock.advance(600)

  const { body } = await rotate(acme.member, old.id, { overlap_seconds: 604_800 })

  const { name, scopes, effective_scopes, preset, connected_app } = old
  assert.partialDeepStrictEqual(body, { name, scopes, effective_scopes, preset, connected_app, last_used_at: null })
  const life = (key: { created_at: string; expires_at: string }) =>
    Date.parse(key.expires_at) - Date.parse(key.created_at)
  assert.equal(life(body), life(old))
  const fetched = (await acme.member.get(`/api/api-keys/${old.id}`)).body
  assert.equal(fetched.expires_at, old.expires_at, 'no overlap lets a key live longer than it would have')
  const { rows } = await acme.sql('select requests_per_minute, rotated_from_id from identity.api_keys where id = $1', [
    body.id,
  ])
  assert.deepEqual(rows, [{ requests_per_minute: 6_000, rotated_from_id: old.id }])
})

test('the lifetime of the successor is limited by the current workspace setting', async () => {
  const acme = await app.tenant()
  const [endless, long] = [await createKey(acme.member), await createKey(acme.member, { expires_at: '2199-01-01' })]
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'security', '{"api_key_max_days":10}')`,
    [acme.id],
  )

  for (const { id } of [endless, long]) {
    const { body } = await rotate(acme.member, id)
    assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 10 * 86_400_000)
  }
})

test('an idempotent retry rotates once and does not return the key again', async () => {
  const acme = await app.tenant()
  const old = await createKey(acme.member)

  const first = await rotate(acme.member, old.id, {}, { 'idempotency-key': 'once' })
  const again = await rotate(acme.member, old.id, {}, { 'idempotency-key': 'once' })

  assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [201, 201, 'true'])
  assert.deepEqual(again.body, { ...first.body, key: null })
  assert.equal(again.headers.location, first.headers.location)
  const { rows } = await acme.sql('select body::text from platform.idempotency_keys where tenant_id = $1', [acme.id])
  assert.ok(!rows[0].body.includes(first.body.key))
})

test('only the creator can rotate a key', async () => {
  const acme = await app.tenant()
  const key = await createKey(acme.member)

  const [byAdmin, byManager] = [await rotate(acme.admin, key.id), await rotate(acme.manager, key.id)]

  assert.deepEqual([byAdmin.status, byAdmin.body.code], [403, 'role_required'])
  assert.deepEqual([byManager.status, byManager.body.code], [404, 'not_found'])
})

test('expired, revoked and rotated keys cannot be rotated and the overlap is limited', async () => {
  const acme = await app.tenant()
  const [brief, revoked, live] = [
    await createKey(acme.member, { expires_at: later(60).toISOString() }),
    await createKey(acme.member),
    await createKey(acme.member),
  ]
  await acme.member.delete(`/api/api-keys/${revoked.id}`)
  app.clock.advance(61)
  await rotate(acme.member, live.id, { overlap_seconds: 600 })

  for (const { id } of [brief, revoked, live]) {
    const { status, body } = await rotate(acme.member, id, { overlap_seconds: 60 })
    assert.deepEqual([status, body.code], [409, 'conflict'])
  }
  for (const overlap_seconds of [-1, 604_801, 1.5, '60', null])
    assert.equal((await rotate(acme.member, live.id, { overlap_seconds })).status, 422)
  assert.equal((await rotate(acme.member, live.id, { overlap: 60 })).status, 422)
})

test('a user with a hundred keys can rotate them only without an overlap', async () => {
  const acme = await app.tenant()
  const { id } = await createKey(acme.member)
  await acme.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by)
     select $1, gen_random_uuid(), 'Key ' || n, 'svc_live_', '0000', sha256(n::text::bytea), '{crm.read}', $2 from generate_series(1, 99) n`,
    [acme.id, acme.member.userId],
  )

  const overlapping = await rotate(acme.member, id, { overlap_seconds: 60 })
  const withoutOverlap = await rotate(acme.member, id)

  assert.deepEqual([overlapping.status, withoutOverlap.status], [409, 201])
})
