import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createRevocationCache } from './auth-caches.ts'

const app = await startTestApp()
type Tenant = Awaited<ReturnType<typeof app.tenant>>
const me = '/api/auth/me'

/** Revokes a session and an API key and makes sure that this process has cached both. */
async function revokeCredentials(acme: Tenant) {
  const session = await acme.signIn(acme.member.userId)
  const { id, key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  const machine = acme.bearer(`ApiKey ${key}`)
  await session.post('/api/auth/logout')
  await acme.sql(`update identity.api_keys set revoked_at = now(), revoke_reason = 'test' where id = $1`, [id])
  for (const client of [session, machine]) assert.equal((await client.get(me)).body.code, 'token_revoked')
  return { session, machine, key: key as string }
}

async function countAcquiredConnections(work: () => Promise<unknown>): Promise<number> {
  let times = 0
  const count = () => times++
  app.services.db.pool.on('acquire', count)
  await work()
  app.services.db.pool.off('acquire', count)
  return times
}

test('revoked credentials cause few database queries', async () => {
  const acme = await app.tenant()
  const { session, machine } = await revokeCredentials(acme)

  const codes = new Set<string>()
  const acquired = await countAcquiredConnections(() =>
    Promise.all(
      Array.from({ length: 300 }, async (_, n) => codes.add((await (n % 2 ? session : machine).get(me)).body.code)),
    ),
  )

  assert.deepEqual([...codes], ['token_revoked'])
  assert.ok(acquired <= 10, `${acquired} connections were acquired for 300 requests`)
})

test('a suspended, deleted or renamed workspace is reported before a revoked credential', async () => {
  const acme = await app.tenant()
  const { session, machine } = await revokeCredentials(acme)
  const set = (status: string) =>
    acme.sql(
      `update identity.tenants set status = $2, delete_after = case when $2 = 'deleting' then now() end where id = $1`,
      [acme.id, status],
    )
  const responses = async () =>
    [await session.get(me), await machine.get(me)].map(({ status, body }) => `${status} ${body.code}`)

  await set('suspended')
  const suspended = await responses()
  await set('deleting')
  const deleting = await responses()
  await set('active')
  const restored = await responses()
  await acme.sql('update identity.tenants set slug = $2 where id = $1', [acme.id, `${acme.slug}-moved`])
  const moved = await responses()

  assert.deepEqual(suspended, ['403 tenant_suspended', '403 tenant_suspended'])
  assert.deepEqual(deleting, ['404 tenant_not_found', '404 tenant_not_found'])
  assert.deepEqual(restored, ['401 token_revoked', '401 token_revoked'])
  assert.deepEqual(moved, ['404 tenant_not_found', '404 tenant_not_found'])
})

test('a revoked credential is a foreign credential in another workspace', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  const { session, key } = await revokeCredentials(acme)
  const send = (authorization: string) => app.client({ host: beta.host, headers: { authorization } }).get(me)

  const responses = [await send(`Bearer ${session.accessToken}`), await send(`ApiKey ${key}`)]

  assert.deepEqual(
    responses.map(({ status, body }) => [status, body.code]),
    [
      [401, 'tenant_mismatch'],
      [401, 'invalid_token'],
    ],
  )
})

test('a deactivated user can sign in again after reactivation', async () => {
  const acme = await app.tenant()
  const { member } = acme
  const { key } = (await member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  const clients = [member, acme.bearer(`ApiKey ${key}`)]
  const statuses = async () => [(await clients[0]!.get(me)).status, (await clients[1]!.get(me)).status]
  const set = (column: string, value: unknown) =>
    acme.sql(`update identity.users set ${column} = $2 where id = $1`, [member.userId, value])

  await set('status', 'deactivated')
  const whileDeactivated = await statuses()
  await set('status', 'active')
  const back = await statuses()

  assert.deepEqual(
    [whileDeactivated, back],
    [
      [403, 403],
      [200, 200],
    ],
  )
})

test('the least recently used entry is evicted first', () => {
  const cache = createRevocationCache(2)
  cache.add('one', 'acme')
  cache.add('two', 'acme')
  cache.tenantOf('one')
  cache.add('three', 'beta')

  assert.deepEqual(['one', 'two', 'three'].map(cache.tenantOf), ['acme', undefined, 'beta'])
})
