// An outage of Redis must not lose data or revocations; the service only gets slower. Lost access takes effect on the next request.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { password, startRedis, startTestApp, waitUntil } from '#testing'

let redis = await startRedis()
after(() => redis.stop())
const { tenant } = await startTestApp({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' })
const isUsed = () => Number(execFileSync('redis-cli', ['-p', String(redis.port), 'dbsize'])) > 0
const flush = () => void execFileSync('redis-cli', ['-p', String(redis.port), 'flushall'])

test('no request fails and no session is lost while Redis is flushed and stopped under load', async () => {
  const acme = await tenant()
  const users = [acme.admin, acme.manager, acme.member, acme.viewer]
  const statuses: number[] = []
  let isOver = false
  const load = users.map(async (user) => {
    while (!isOver) statuses.push((await user.get('/api/auth/me')).status)
  })
  /** Waits for requests instead of a time, because their number must not depend on the speed of the machine. */
  const waitForRequests = async () => {
    const expected = statuses.length + 40
    await waitUntil(() => statuses.length >= expected)
  }

  await waitForRequests()
  flush()
  await waitForRequests()
  await redis.stop()
  await waitForRequests()
  redis = await startRedis({ port: redis.port })
  await waitUntil(isUsed)
  await waitForRequests()
  isOver = true
  await Promise.all(load)

  assert.deepEqual([...new Set(statuses)], [200])
})

test('a revoked token stays revoked when Redis is flushed or stopped', async () => {
  const acme = await tenant()
  const [flushed, stopped] = [await acme.signIn(acme.member.userId), await acme.signIn(acme.member.userId)]

  await flushed.post('/api/auth/logout')
  flush()
  const afterFlush = await flushed.get('/api/auth/me')
  await redis.stop()
  await stopped.post('/api/auth/logout')
  const afterStop = [await stopped.get('/api/auth/me'), await flushed.get('/api/auth/me')]
  redis = await startRedis({ port: redis.port })
  afterStop.push(await stopped.get('/api/auth/me'))

  assert.deepEqual([afterFlush.status, afterFlush.body.code], [401, 'token_revoked'])
  assert.deepEqual(
    afterStop.map(({ status, body }) => [status, body.code]),
    [
      [401, 'token_revoked'],
      [401, 'token_revoked'],
      [401, 'token_revoked'],
    ],
  )
})

type Tenant = Awaited<ReturnType<typeof tenant>>
type Client = Pick<Tenant['member'], 'get'>
type RevocationCase = {
  name: string
  /** Returns a client with access, and the action that revokes it. */
  prepare(acme: Tenant): Promise<{ client: Client; url: string; revoke(): Promise<{ status: number }> }>
  expected: [status: number, code: string]
}

const me = '/api/auth/me'

const createKey = async (acme: Tenant) => {
  const { id, key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  return { id, client: acme.bearer(`ApiKey ${key}`) }
}

const cases: RevocationCase[] = [
  {
    name: 'a sign-out',
    prepare: async ({ member }) => ({ client: member, url: me, revoke: () => member.post('/api/auth/logout') }),
    expected: [401, 'token_revoked'],
  },
  {
    name: 'a role change',
    prepare: async (acme) => {
      const client = await acme.person('admin')
      const revoke = () => acme.admin.patch(`/api/users/${client.userId}`, { role: 'viewer' })
      return { client, url: '/api/admin/settings', revoke }
    },
    expected: [403, 'scope_required'],
  },
  {
    name: 'the deactivation of the user',
    prepare: async ({ admin, member }) => ({
      client: member,
      url: me,
      revoke: () => admin.patch(`/api/users/${member.userId}`, { status: 'deactivated' }),
    }),
    expected: [401, 'token_revoked'],
  },
  {
    name: 'the deactivation of the creator of a key',
    prepare: async (acme) => ({
      client: (await createKey(acme)).client,
      url: me,
      revoke: () => acme.admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' }),
    }),
    expected: [401, 'token_revoked'],
  },
  {
    name: 'the revocation of a key',
    prepare: async (acme) => {
      const { id, client } = await createKey(acme)
      return { client, url: me, revoke: () => acme.member.delete(`/api/api-keys/${id}`) }
    },
    expected: [401, 'token_revoked'],
  },
  {
    name: 'a password change',
    prepare: async (acme) => {
      const client = await acme.signIn(acme.member.userId)
      const change = { current_password: password, new_password: 'a whole new long passphrase' }
      return { client, url: me, revoke: () => acme.member.post('/api/auth/change-password', change) }
    },
    expected: [401, 'token_revoked'],
  },
  {
    name: 'the sign-out of an impersonating admin',
    prepare: async (acme) => {
      const reason = 'They called for help.'
      const { body } = await acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, { reason })
      const client = acme.bearer(`Bearer ${body.access_token}`)
      return { client, url: me, revoke: () => acme.admin.post('/api/auth/logout') }
    },
    expected: [401, 'token_revoked'],
  },
]

const flushLater = async () => flush()
const stop = () => redis.stop()
const start = async () => {
  redis = await startRedis({ port: redis.port })
}
const doNothing = async () => {}

type RedisFault = { state: string; before(): Promise<void>; after(): Promise<void>; restore(): Promise<void> }

const redisFaults: RedisFault[] = [
  { state: 'up', before: doNothing, after: doNothing, restore: doNothing },
  { state: 'flushed', before: doNothing, after: flushLater, restore: doNothing },
  { state: 'stopped', before: stop, after: doNothing, restore: start },
]

for (const { state, before, after: afterRevocation, restore } of redisFaults)
  for (const { name, prepare, expected } of cases)
    test(`${name} takes effect on the next request with Redis ${state}`, async () => {
      const { client, url, revoke } = await prepare(await tenant())
      assert.equal((await client.get(url)).status, 200)

      await before()
      const revoked = await revoke()
      await afterRevocation()
      const next = await client.get(url)
      await restore()
      const later = await client.get(url)

      assert.ok(revoked.status < 300, `${revoked.status}`)
      assert.deepEqual([next.status, next.body.code], expected)
      assert.deepEqual([later.status, later.body.code], expected)
    })
