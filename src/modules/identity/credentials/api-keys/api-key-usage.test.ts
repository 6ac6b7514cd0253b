import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform/ids'
import { hashToken } from '#platform/secrets'
import { startTestApp } from '#testing'
import { generateKey } from './key-format.rules.ts'

const app = await startTestApp({ TRUSTED_PROXIES: '10.0.0.0/8' })

type Tenant = Awaited<ReturnType<typeof app.tenant>>
type KeyFields = {
  scopes?: string[]
  preset?: string | null
  expires_at?: Date | null
  connected_app_id?: string | null
}

/** Inserts an API key directly. */
async function keyOf(acme: Tenant, userId: string, fields: KeyFields = {}) {
  const { scopes = ['crm.read'], preset = null, expires_at = null, connected_app_id = null } = fields
  const [id, key] = [newId(), generateKey()]
  await acme.sql(
    `insert into identity.api_keys (tenant_id, id, name, key_prefix, last_four, key_hash, scopes, preset, expires_at, connected_app_id, created_by)
     values ($1, $2, 'Machine', 'svc_live_', '0000', $3, $4, $5, $6, $7, $8)`,
    [acme.id, id, hashToken(key), scopes, preset, expires_at, connected_app_id, userId],
  )
  return { id, key, client: acme.bearer(`ApiKey ${key}`) }
}

async function appOf(acme: Tenant, allowlist: string[]) {
  const id = newId()
  await acme.sql('insert into identity.connected_apps (tenant_id, id, name, ip_allowlist) values ($1, $2, $3, $4)', [
    acme.id,
    id,
    `App ${id}`,
    allowlist,
  ])
  return id
}

const me = '/api/auth/me'

test('identity-1-5 a credential of one workspace is rejected in another', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const { key } = await keyOf(acme, acme.member.userId)

  const token = await beta.bearer(`Bearer ${acme.member.accessToken}`).get(me)
  const apiKey = await beta.bearer(`ApiKey ${key}`).get(me)

  assert.equal(token.status, 401)
  assert.equal(token.body.code, 'tenant_mismatch')
  assert.match(String(token.headers['www-authenticate']), /^Bearer/)
  assert.equal(apiKey.status, 401)
  assert.equal(apiKey.body.code, 'invalid_token')
})

test('identity-6-2 a key is accepted with both authorization schemes, case-insensitively', async () => {
  const acme = await app.tenant()
  const { key } = await keyOf(acme, acme.member.userId)

  const statuses = []
  for (const scheme of ['ApiKey', 'Bearer', 'apikey', 'bearer', 'APIKEY'])
    statuses.push((await acme.bearer(`${scheme} ${key}`).get(me)).status)

  assert.deepEqual(statuses, [200, 200, 200, 200, 200])
})

test('identity-6-6 an expired key is rejected', async () => {
  const acme = await app.tenant()
  const ends = new Date(app.clock.now().getTime() + 60_000)
  const { client } = await keyOf(acme, acme.member.userId, { expires_at: ends })

  const before = await client.get(me)
  app.clock.advance(61)
  const after = await client.get(me)

  assert.equal(before.status, 200)
  assert.deepEqual([after.status, after.body.code], [401, 'token_expired'])
})

test('identity-6-8 a key with a typo is rejected without a database query', async () => {
  const acme = await app.tenant()
  const { key } = await keyOf(acme, acme.member.userId)
  const typo = key.slice(0, -1) + (key.endsWith('x') ? 'y' : 'x')
  let lent = 0
  const count = () => lent++
  app.services.db.pool.on('acquire', count)

  const response = await acme.bearer(`ApiKey ${typo}`).get(me)

  app.services.db.pool.off('acquire', count)
  assert.deepEqual([response.status, response.body.code], [401, 'invalid_token'])
  assert.equal(lent, 0)
})

test('identity-6-9 a key of an app works only from allowed networks, and the IP address cannot be spoofed', async () => {
  const acme = await app.tenant()
  const { id, client } = await keyOf(acme, acme.member.userId, {
    connected_app_id: await appOf(acme, ['203.0.113.0/24', '2001:db8::/32']),
  })
  const from = (remoteAddress: string, forwarded?: string) =>
    client.with({ remoteAddress, headers: forwarded ? { 'x-forwarded-for': forwarded } : {} }).get(me)

  const outside = await from('198.51.100.1')
  const forged = await from('198.51.100.1', '203.0.113.5')
  const inside = [
    await from('203.0.113.5'),
    await from('10.1.2.3', '203.0.113.5'),
    await from('2001:db8::1'),
    await from('::ffff:203.0.113.9'),
  ]
  const behindProxy = await from('10.1.2.3', '203.0.113.5, 198.51.100.7')

  for (const { status, body } of [outside, forged, behindProxy])
    assert.deepEqual([status, body.code], [403, 'ip_not_allowed'])
  assert.deepEqual(
    inside.map(({ status }) => status),
    [200, 200, 200, 200],
  )
  const { rows } = await acme.sql(
    `select resource_id, outcome, host(ip) as ip from platform.audit_log where tenant_id = $1 and action = 'api_key.used' order by id`,
    [acme.id],
  )
  assert.deepEqual(rows, [
    { resource_id: id, outcome: 'denied', ip: '198.51.100.1' },
    { resource_id: id, outcome: 'denied', ip: '198.51.100.7' },
  ])
})

test('an app without an allowlist works from any network and a disabled app from none', async () => {
  const acme = await app.tenant()
  const connected_app_id = await appOf(acme, [])
  const { client } = await keyOf(acme, acme.member.userId, { connected_app_id })

  const enabled = await client.get(me)
  await acme.sql(`update identity.connected_apps set status = 'disabled' where id = $1`, [connected_app_id])
  const disabled = await client.get(me)

  assert.equal(enabled.status, 200)
  assert.deepEqual([disabled.status, disabled.body.code], [403, 'connected_app_disabled'])
})

test('identity-6-7 the effective scopes of a key follow the role of its creator from one request to the next', async () => {
  const acme = await app.tenant()
  const { client } = await keyOf(acme, acme.admin.userId, { scopes: ['admin.read', 'users.read'] })
  const setRole = (role: string) =>
    acme.sql('update identity.users set role = $2 where id = $1', [acme.admin.userId, role])

  const asAdmin = await client.get('/api/admin/settings')
  await setRole('viewer')
  const asViewer = await client.get('/api/admin/settings')
  const scopes = (await client.get(me)).body.scopes
  await setRole('admin')
  const again = await client.get('/api/admin/settings')

  assert.deepEqual([asAdmin.status, asViewer.status, again.status], [200, 403, 200])
  assert.deepEqual([asViewer.body.code, asViewer.body.required_scope], ['scope_required', 'admin.read'])
  assert.deepEqual(scopes, ['users.read'])
})

test('identity-6-14 the first use of a key is visible within a second', async () => {
  const acme = await app.tenant()
  const { id, client } = await keyOf(acme, acme.member.userId)

  await client.with({ remoteAddress: '203.0.113.5' }).get(me)
  await sleep(900)

  const { rows } = await acme.sql(
    'select last_used_at, host(last_used_ip) as ip from identity.api_keys where id = $1',
    [id],
  )
  assert.equal(rows[0].ip, '203.0.113.5')
  assert.ok(Math.abs(rows[0].last_used_at.getTime() - app.clock.now().getTime()) < 5_000)
})
