import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openRedis } from '#platform/cache'
import { buckets, createRateLimiter } from '#platform/limits'
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

test('large bodies count against their workspace by their size', async () => {
  const [acme, globex] = [await app.tenant(), await app.tenant()]
  const send = (workspace: typeof acme, length: number) =>
    workspace.member.post('/api/leads/', { last_name: 'Moss', notes: 'x'.repeat(length) })
  const { largeBodies } = buckets

  const before = await send(acme, 900_000)
  // A take that exceeds the rest takes nothing.
  const take = (cost: number) => app.services.limits.take({ ...largeBodies, key: acme.id }, cost)
  for (const cost of [100, 10, 1]) while ((await take(cost)).allowed);
  const [large, small, other] = [await send(acme, 900_000), await send(acme, 1_000), await send(globex, 70_000)]

  assert.deepEqual([before.status, large.status, small.status, other.status], [422, 429, 201, 422])
  assert.ok(Number(large.headers['retry-after']) >= 1)
})

test('300 refreshes of one network pass, a session has 30 in a minute, and unknown tokens count as sign-ins', async () => {
  app.clock.freeze()
  const acme = await app.tenant()
  const client = acme.anonymous.with({ remoteAddress: '203.0.113.3' })
  const refresh = (token: string) => client.post('/api/auth/refresh', { refresh_token: token })

  const sessions = [
    acme.member,
    ...(await Promise.all(Array.from({ length: 9 }, () => acme.signIn(acme.member.userId)))),
  ]
  const passed = []
  for (let n = 0; n < 30; n++)
    passed.push(...(await Promise.all(sessions.map(({ refreshToken }) => refresh(refreshToken)))))
  // The limits refill while the test runs, so it sends more than they allow in several seconds.
  const tooMany = await Promise.all(Array.from({ length: 20 }, () => refresh(acme.member.refreshToken)))
  const guesses = await Promise.all(Array.from({ length: 90 }, () => refresh('guess')))

  assert.deepEqual(new Set(passed.map(({ status }) => status)), new Set([200]))
  const refused = tooMany.find(({ status }) => status === 429)
  assert.match(refused?.headers['ratelimit-policy'] ?? '', /"refresh"/)
  assert.deepEqual(new Set(guesses.map(({ status }) => status)), new Set([401, 429]))
  const refusedGuess = guesses.find(({ status }) => status === 429)
  assert.match(refusedGuess?.headers['ratelimit-policy'] ?? '', /"sign_in"/)
})

test('rate limit headers describe the limits of anonymous and signed-in callers', async () => {
  const acme = await app.tenant()

  const anonymous = await acme.anonymous.get('/api/auth/sso/providers')
  const login = await acme.anonymous.post('/api/auth/login', { email: 'a@example.com', password: 'x' })
  const member = await acme.member.get('/api/auth/me')

  const ofNetwork = '"anonymous";q=200;w=20, "anonymous_prefix";q=2000;w=20'
  assert.equal(anonymous.headers['ratelimit-policy'], ofNetwork)
  assert.equal(login.headers['ratelimit-policy'], `${ofNetwork}, "sign_in";q=60;w=60`)
  assert.equal(member.headers['ratelimit-policy'], '"session";q=300;w=15, "user";q=1500;w=15, "tenant";q=30000;w=60')
})

test('a new caller can send as many requests at once as its headers say, and the 429 names the time to wait', async () => {
  const small = await startTestApp({ RATE_LIMIT_FACTOR: '0.05' })
  small.clock.freeze()
  const acme = await small.tenant()
  const { key } = (await acme.admin.post('/api/api-keys', { name: 'Machine', scopes: ['users.read'] })).body
  const apiKey = acme.bearer(`ApiKey ${key}`)

  const first = await apiKey.get('/api/auth/me')
  const quota = Number(/^"api_key";q=(\d+);w=15,/.exec(first.headers['ratelimit-policy'])?.[1])
  const remaining = Number(/^"api_key";r=(\d+);/.exec(first.headers.ratelimit)?.[1])
  const statuses = []
  for (let n = 0; n < remaining; n++) statuses.push((await apiKey.get('/api/auth/me')).status)
  const exceeded = await apiKey.get('/api/auth/me')
  small.clock.advance(15)
  const later = await apiKey.get('/api/auth/me')

  assert.deepEqual([first.status, quota, remaining], [200, 15, 14])
  assert.deepEqual(new Set(statuses), new Set([200]))
  assert.deepEqual(
    [exceeded.status, exceeded.headers['retry-after'], exceeded.body.detail],
    [429, '1', 'Too many requests. Try again in 1 second.'],
  )
  assert.deepEqual([later.status, later.headers.ratelimit.split(';')[1]], [200, 'r=14'])
})

test('an API key is called an API key in headers and errors', async () => {
  const acme = await app.tenant()
  const create = async (name: string) =>
    (await acme.admin.post('/api/api-keys', { name, scopes: ['users.read'] })).body as { id: string; key: string }
  const [used, revoked, expired] = [await create('Used'), await create('Revoked'), await create('Expired')]
  await acme.admin.delete(`/api/api-keys/${revoked.id}`)
  await acme.sql(`update identity.api_keys set expires_at = now() - interval '1 day' where id = $1`, [expired.id])
  const send = (value: string) => acme.bearer(`ApiKey ${value}`).get('/api/auth/me')

  const accepted = await send(used.key)
  const refused = [await send(revoked.key), await send(revoked.key), await send(expired.key), await send('svc_live_x')]
  const personal = await acme.bearer(`ApiKey ${used.key}`).post('/api/auth/logout')

  assert.match(accepted.headers.ratelimit, /^"api_key";/)
  assert.deepEqual(
    refused.map(({ body }) => [body.code, body.detail]),
    [
      ['token_revoked', 'The API key was revoked. Create a new one.'],
      ['token_revoked', 'The API key was revoked. Create a new one.'],
      ['token_expired', 'The API key has expired. Create a new one.'],
      ['invalid_token', 'The API key is not valid in this workspace.'],
    ],
  )
  for (const { body, headers } of [accepted, ...refused, personal])
    assert.doesNotMatch(`${body.detail ?? ''} ${headers.ratelimit ?? ''}`, /session/)
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

  // A token returns every ten seconds, so a slow machine may admit a few more, or fewer if Redis is slow.
  assert.ok(admitted >= 1 && admitted < 10, `${admitted}`)
  for (const count of [admittedByOther, ...admittedWithoutRedis]) assert.ok(count < 8, `${count}`)
  assert.deepEqual(elsewhere, [true, true])
})

test('a user can search all records 60 times per minute', async () => {
  const acme = await app.tenant()
  const search = () => acme.viewer.get('/api/search?q=zz&types=lead')

  const answers = await Promise.all(Array.from({ length: 100 }, search))

  const refused = answers.find(({ status }) => status === 429)
  assert.ok(answers.filter(({ status }) => status === 200).length >= 60)
  assert.match(refused?.headers['ratelimit-policy'] ?? '', /"record_search";q=60;w=60/)
  assert.equal((await acme.member.get('/api/search?q=zz&types=lead')).status, 200)
})
