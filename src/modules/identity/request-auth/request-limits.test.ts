import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openRedis } from '#platform/cache'
import { createRateLimiter } from '#platform/limits'
import { startRedis, startTestApp, waitUntil } from '#testing'
import { createRequestLimits } from './request-limits.ts'

const app = await startTestApp({ RATE_LIMIT_FACTOR: '1' })

test('an IP address can request twenty password reset links per hour', async () => {
  const acme = await app.tenant()
  const client = acme.anonymous.with({ remoteAddress: '203.0.113.1' })
  const forgot = (from: typeof client, n: number) =>
    from.post('/api/auth/forgot-password', { email: `person-${n}@example.com` })

  const statuses = []
  for (let n = 0; n < 20; n++) statuses.push((await forgot(client, n)).status)
  const tooMany = await forgot(client, 20)
  const elsewhere = await forgot(acme.anonymous.with({ remoteAddress: '203.0.113.2' }), 21)

  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.deepEqual([tooMany.status, tooMany.body.code], [429, 'rate_limited'])
  assert.ok(Number(tooMany.headers['retry-after']) >= 100)
  assert.equal(elsewhere.status, 200)
})

test('rate limit headers describe the limits of anonymous and signed-in callers', async () => {
  const acme = await app.tenant()

  const anonymous = await acme.anonymous.get('/api/auth/sso/providers')
  const login = await acme.anonymous.post('/api/auth/login', { email: 'a@example.com', password: 'x' })
  const member = await acme.member.get('/api/auth/me')

  const ofNetwork = '"anonymous";q=600;w=60, "anonymous_prefix";q=6000;w=60'
  assert.equal(anonymous.headers['ratelimit-policy'], ofNetwork)
  assert.equal(login.headers['ratelimit-policy'], `${ofNetwork}, "sign_in";q=60;w=60`)
  assert.equal(member.headers['ratelimit-policy'], '"session";q=1200;w=60, "user";q=6000;w=60, "tenant";q=30000;w=60')
})

test('processes share the limit of a network, and it stays in force when Redis is lost', async () => {
  const redis = await startRedis()
  after(redis.stop)
  const startProcess = async () => {
    const client = openRedis({ REDIS_URL: redis.url, log: app.services.log })
    after(client.close)
    await waitUntil(() => client.status() === 'ok')
    const config = { RATE_LIMIT_FACTOR: 0.01, RATE_LIMIT_INSTANCES: 2 }
    const { countRequest } = createRequestLimits(createRateLimiter({ redis: client, config }))
    return async (ip: string) =>
      await countRequest({ ip }).then(
        () => true,
        () => false,
      )
  }
  const [one, two] = [await startProcess(), await startProcess()]
  const [flooding, other] = ['192.0.2.1', '198.51.100.1']
  const flood = async (send: typeof one) =>
    (await Promise.all(Array.from({ length: 40 }, () => send(flooding)))).filter(Boolean).length

  const admitted = await flood(one)
  const admittedByOther = await flood(two)
  await redis.stop()
  const admittedWithoutRedis = [await flood(one), await flood(two)]
  const elsewhere = [await one(other), await two(other)]

  // A token returns every ten seconds, so a slow machine may admit a few more.
  assert.ok(admitted >= 2 && admitted < 10, `${admitted}`)
  for (const count of [admittedByOther, ...admittedWithoutRedis]) assert.ok(count < 8, `${count}`)
  assert.deepEqual(elsewhere, [true, true])
})
