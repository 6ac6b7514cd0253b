// Lost access must take effect on the next request, even if Redis is flushed or stopped.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { password, startRedis, startTestApp } from '#testing'

let redis = await startRedis()
after(() => redis.stop())
const { tenant } = await startTestApp({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' })

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

const flush = async () => void execFileSync('redis-cli', ['-p', String(redis.port), 'flushall'])
const stop = () => redis.stop()
const start = async () => {
  redis = await startRedis({ port: redis.port })
}
const doNothing = async () => {}

type RedisFault = { state: string; before(): Promise<void>; after(): Promise<void>; restore(): Promise<void> }

const redisFaults: RedisFault[] = [
  { state: 'up', before: doNothing, after: doNothing, restore: doNothing },
  { state: 'flushed', before: doNothing, after: flush, restore: doNothing },
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
