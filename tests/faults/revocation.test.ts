// What is taken away is gone on the very next request, whatever becomes of Redis.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { password, startRedis, startTestApp } from '#testing'

let redis = await startRedis()
after(() => redis.stop())
const { tenant } = await startTestApp({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' })

type Tenant = Awaited<ReturnType<typeof tenant>>
type Client = Pick<Tenant['member'], 'get'>
type Case = {
  what: string
  /** Somebody who may, and the act that takes it away. */
  prepare(acme: Tenant): Promise<{ client: Client; url: string; takeAway(): Promise<{ status: number }> }>
  answer: [status: number, code: string]
}

const me = '/api/auth/me'

const keyOf = async (acme: Tenant) => {
  const { id, key } = (await acme.member.post('/api/api-keys', { name: 'Machine', scopes: ['crm.read'] })).body
  return { id, client: acme.bearer(`ApiKey ${key}`) }
}

const cases: Case[] = [
  {
    what: 'signing out',
    prepare: async ({ member }) => ({ client: member, url: me, takeAway: () => member.post('/api/auth/logout') }),
    answer: [401, 'token_revoked'],
  },
  {
    what: 'another role',
    prepare: async (acme) => {
      const client = await acme.person('admin')
      const takeAway = () => acme.admin.patch(`/api/users/${client.userId}`, { role: 'viewer' })
      return { client, url: '/api/admin/settings', takeAway }
    },
    answer: [403, 'scope_required'],
  },
  {
    what: 'deactivation',
    prepare: async ({ admin, member }) => ({
      client: member,
      url: me,
      takeAway: () => admin.patch(`/api/users/${member.userId}`, { status: 'deactivated' }),
    }),
    answer: [401, 'token_revoked'],
  },
  {
    what: 'deactivation of whoever made a key',
    prepare: async (acme) => ({
      client: (await keyOf(acme)).client,
      url: me,
      takeAway: () => acme.admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' }),
    }),
    answer: [401, 'token_revoked'],
  },
  {
    what: 'revoking a key',
    prepare: async (acme) => {
      const { id, client } = await keyOf(acme)
      return { client, url: me, takeAway: () => acme.member.delete(`/api/api-keys/${id}`) }
    },
    answer: [401, 'token_revoked'],
  },
  {
    what: 'another password',
    prepare: async (acme) => {
      const client = await acme.signIn(acme.member.userId)
      const change = { current_password: password, new_password: 'a whole new long passphrase' }
      return { client, url: me, takeAway: () => acme.member.post('/api/auth/change-password', change) }
    },
    answer: [401, 'token_revoked'],
  },
  {
    what: 'the end of an admin who acts as somebody',
    prepare: async (acme) => {
      const reason = 'They called for help.'
      const { body } = await acme.admin.post(`/api/users/${acme.member.userId}/impersonate`, { reason })
      const client = acme.bearer(`Bearer ${body.access_token}`)
      return { client, url: me, takeAway: () => acme.admin.post('/api/auth/logout') }
    },
    answer: [401, 'token_revoked'],
  },
]

const flush = async () => void execFileSync('redis-cli', ['-p', String(redis.port), 'flushall'])
const stop = () => redis.stop()
const start = async () => {
  redis = await startRedis({ port: redis.port })
}
const nothing = async () => {}

/** What becomes of Redis before something is taken away, after it, and in the end. */
const fates: { redisIs: string; before(): Promise<void>; after(): Promise<void>; inTheEnd(): Promise<void> }[] = [
  { redisIs: 'up', before: nothing, after: nothing, inTheEnd: nothing },
  { redisIs: 'flushed', before: nothing, after: flush, inTheEnd: nothing },
  { redisIs: 'stopped', before: stop, after: nothing, inTheEnd: start },
]

for (const { redisIs, before, after: afterwards, inTheEnd } of fates)
  for (const { what, prepare, answer } of cases)
    test(`${what} binds on the very next request with Redis ${redisIs}`, async () => {
      const { client, url, takeAway } = await prepare(await tenant())
      assert.equal((await client.get(url)).status, 200)

      await before()
      const taken = await takeAway()
      await afterwards()
      const next = await client.get(url)
      await inTheEnd()
      const later = await client.get(url)

      assert.ok(taken.status < 300, `${taken.status}`)
      assert.deepEqual([next.status, next.body.code], answer)
      assert.deepEqual([later.status, later.body.code], answer)
    })
