import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const app = await startTestApp()

type Tenant = Awaited<ReturnType<typeof app.tenant>>
const make = async (person: Tenant['member'], fields: object = {}) =>
  (await person.post('/api/api-keys', { name: 'Nightly export', scopes: ['crm.read'], ...fields })).body
const rotate = (person: Tenant['member'], id: string, body?: object, headers?: Record<string, string>) =>
  person.post(`/api/api-keys/${id}/rotate`, body, headers)
const later = (seconds: number) => new Date(app.clock.now().getTime() + seconds * 1_000)

test('identity-6-11 with an overlap both keys work, until it is over', async () => {
  const acme = await app.tenant()
  const old = await make(acme.member)

  const { status, body, headers } = await rotate(acme.member, old.id, { overlap_seconds: 60 })
  const ask = async () => {
    const answers = [old.key, body.key].map((key) => acme.bearer(`ApiKey ${key}`).get('/api/auth/me'))
    return (await Promise.all(answers)).map((answer) => answer.status)
  }
  const during = await ask()
  const shown = await acme.member.get(`/api/api-keys/${old.id}`)
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
  const ends = Date.parse(shown.body.expires_at) - Date.parse(body.created_at)
  assert.deepEqual([shown.body.status, ends], ['active', 60_000])
  assert.deepEqual(await acme.events(), ['api_key.created', 'api_key.created', 'api_key.rotated'])
  assert.deepEqual(await acme.audit(), ['api_key.created', 'api_key.created', 'api_key.rotated'])
})

test('without an overlap the old key ends at once, for good', async () => {
  const acme = await app.tenant()
  const old = await make(acme.member)

  const rotated = await rotate(acme.member, old.id)
  const refused = await acme.bearer(`ApiKey ${old.key}`).get('/api/auth/me')
  const again = await rotate(acme.member, old.id)

  assert.equal(rotated.status, 201)
  assert.deepEqual([refused.status, refused.body.code], [401, 'token_revoked'])
  assert.deepEqual([again.status, again.body.code], [409, 'conflict'])
  assert.partialDeepStrictEqual((await acme.member.get(`/api/api-keys/${old.id}`)).body, {
    status: 'revoked',
    revoke_reason: 'rotated',
  })
})

test('the new key is like the old one, and lives as long as that was meant to', async () => {
  const acme = await app.tenant()
  const { id: connected_app_id } = (await acme.manager.post('/api/connected-apps', { name: 'Billing' })).body
  const fields = { preset: 'read_only', connected_app_id, expires_at: later(3_600).toISOString() }
  const old = await make(acme.member, fields)
  await acme.sql('update identity.api_keys set requests_per_minute = 6000 where id = $1', [old.id])
  app.clock.advance(600)

  const { body } = await rotate(acme.member, old.id, { overlap_seconds: 604_800 })

  const { name, scopes, effective_scopes, preset, connected_app } = old
  assert.partialDeepStrictEqual(body, { name, scopes, effective_scopes, preset, connected_app, last_used_at: null })
  const life = (key: { created_at: string; expires_at: string }) =>
    Date.parse(key.expires_at) - Date.parse(key.created_at)
  assert.equal(life(body), life(old))
  const shown = (await acme.member.get(`/api/api-keys/${old.id}`)).body
  assert.equal(shown.expires_at, old.expires_at, 'no overlap lets a key live longer than it would have')
  const { rows } = await acme.sql('select requests_per_minute, rotated_from_id from identity.api_keys where id = $1', [
    body.id,
  ])
  assert.deepEqual(rows, [{ requests_per_minute: 6_000, rotated_from_id: old.id }])
})

test('a key that lived too long for today gets a successor that does not', async () => {
  const acme = await app.tenant()
  const [endless, long] = [await make(acme.member), await make(acme.member, { expires_at: '2199-01-01' })]
  await acme.sql(
    `insert into identity.tenant_settings (tenant_id, section, doc) values ($1, 'security', '{"api_key_max_days":10}')`,
    [acme.id],
  )

  for (const { id } of [endless, long]) {
    const { body } = await rotate(acme.member, id)
    assert.equal(Date.parse(body.expires_at) - Date.parse(body.created_at), 10 * 86_400_000)
  }
})

test('a rotation that is repeated is one rotation, and does not show the key again', async () => {
  const acme = await app.tenant()
  const old = await make(acme.member)

  const first = await rotate(acme.member, old.id, {}, { 'idempotency-key': 'once' })
  const again = await rotate(acme.member, old.id, {}, { 'idempotency-key': 'once' })

  assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [201, 201, 'true'])
  assert.deepEqual(again.body, { ...first.body, key: null })
  assert.equal(again.headers.location, first.headers.location)
  const { rows } = await acme.sql('select body::text from platform.idempotency_keys where tenant_id = $1', [acme.id])
  assert.ok(!rows[0].body.includes(first.body.key))
})

test('only who made a key rotates it, since the new one acts in their name', async () => {
  const acme = await app.tenant()
  const key = await make(acme.member)

  const [byAdmin, byManager] = [await rotate(acme.admin, key.id), await rotate(acme.manager, key.id)]

  assert.deepEqual([byAdmin.status, byAdmin.body.code], [403, 'role_required'])
  assert.deepEqual([byManager.status, byManager.body.code], [404, 'not_found'])
})

test('what has ended is not rotated, nor what was, and an overlap has its bounds', async () => {
  const acme = await app.tenant()
  const [brief, revoked, live] = [
    await make(acme.member, { expires_at: later(60).toISOString() }),
    await make(acme.member),
    await make(acme.member),
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

test('a hundred keys can be rotated one by one, but not with an overlap', async () => {
  const acme = await app.tenant()
  const { id } = await make(acme.member)
  await acme.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, created_by)
     select $1, gen_random_uuid(), 'Key ' || n, 'svc_live_', '0000', sha256(n::text::bytea), '{crm.read}', $2 from generate_series(1, 99) n`,
    [acme.id, acme.member.userId],
  )

  const overlapping = await rotate(acme.member, id, { overlap_seconds: 60 })
  const atOnce = await rotate(acme.member, id)

  assert.deepEqual([overlapping.status, atOnce.status], [409, 201])
})
