import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { openRedis } from '#platform/cache'
import { systemClock } from '#platform/clock'
import { newId } from '#platform/ids'
import { createRateLimiter } from './index.ts'
import { allowedOf, connectLimiter, log, manyTimes, normal, perHour, startServer } from './rate-limiter.fixture.ts'

test('exactly `limit` of fifty concurrent requests pass', async (t) => {
  const { server } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const bucket = perHour(10)

  const taken = await manyTimes(50, () => limits.take(bucket))

  assert.equal(allowedOf(taken), 10)
  assert.deepEqual(
    taken.filter(({ allowed }) => allowed).map(({ remaining }) => remaining),
    [9, 8, 7, 6, 5, 4, 3, 2, 1, 0],
  )
  const refused = taken.find(({ allowed }) => !allowed)!
  assert.equal(refused.remaining, 0)
  assert.ok(refused.resetSeconds > 350 && refused.resetSeconds <= 360, `${refused.resetSeconds}`)
})

test('two processes share one bucket', async (t) => {
  const { server } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const bucket = perHour(20)
  const program = `
    import { openRedis } from '#platform/cache'
    import { createRateLimiter } from '#platform/limits'
    import { createLogger } from '#platform/telemetry'
    const redis = openRedis({ REDIS_URL: '${server.url}', log: createLogger({ LOG_LEVEL: 'silent' }) })
    while (redis.status() !== 'ok') await new Promise((resolve) => setTimeout(resolve, 5))
    const limits = createRateLimiter({ redis, config: { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 1 } })
    const taken = await Promise.all(Array.from({ length: 15 }, () => limits.take(${JSON.stringify(bucket)})))
    redis.close()
    console.log(taken.filter(({ allowed }) => allowed).length)`

  const child = promisify(execFile)(process.execPath, ['--input-type=module-typescript', '--eval', program])
  const here = await manyTimes(15, () => limits.take(bucket))
  const there = Number((await child).stdout)

  assert.equal(allowedOf(here) + there, 20)
})

test('a bucket refills evenly and never above its capacity', async (t) => {
  const { server } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const bucket = { name: 'session', key: newId(), limit: 5, windowSeconds: 1 }
  const drain = async () => {
    const from = performance.now()
    const allowed = allowedOf(await manyTimes(20, () => limits.take(bucket)))
    return { allowed, from, to: performance.now() }
  }

  const first = await drain()
  await sleep(450)
  const second = await drain()
  await sleep(2_000)
  const third = await drain()

  const slowness = (run: typeof first) => Math.ceil((run.to - run.from) / 200)
  assert.ok(first.allowed >= 5 && first.allowed <= 5 + slowness(first), `${first.allowed}`)
  assert.ok(second.allowed >= 2 && second.allowed <= Math.ceil((second.to - first.from) / 200), `${second.allowed}`)
  assert.ok(third.allowed >= 5 && third.allowed <= 5 + slowness(third), `${third.allowed}`)
})

test('takeAll takes from all buckets or from none, in one round trip', async (t) => {
  const { server, admin } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const [session, tenant] = [perHour(100), { ...perHour(2), name: 'tenant' }]
  await limits.takeAll([session, tenant])
  await admin.config('RESETSTAT')

  const second = await limits.takeAll([session, tenant])
  const third = await limits.takeAll([session, tenant])
  const stats = await admin.info('commandstats')
  const leftOfSession = await limits.take(session, 0)

  assert.deepEqual(
    second.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 98],
      [true, 0],
    ],
  )
  assert.deepEqual(
    third.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [true, 98],
      [false, 0],
    ],
  )
  assert.equal(leftOfSession.remaining, 98)
  assert.match(stats, /cmdstat_evalsha:calls=2,/)
  assert.doesNotMatch(stats, /cmdstat_eval:/)
})

test('a higher cost takes more tokens, and a cost above the capacity passes with a full bucket', async (t) => {
  const { server } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const [bucket, other] = [perHour(10), perHour(10)]

  const four = await limits.take(bucket, 4)
  const seven = await limits.take(bucket, 7)
  const hundred = await limits.take(other, 100)
  const peek = await limits.take(bucket, 0)

  assert.deepEqual([four.allowed, four.remaining], [true, 6])
  assert.deepEqual([seven.allowed, seven.remaining], [false, 6])
  assert.deepEqual([hundred.allowed, hundred.remaining], [true, 0])
  assert.equal(peek.remaining, 6)
})

test('counting restarts after Redis is flushed', async (t) => {
  const { server, admin } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const bucket = perHour(3)
  const before = await manyTimes(5, () => limits.take(bucket))

  await admin.flushall()
  await admin.script('FLUSH')
  const afterwards = await manyTimes(5, () => limits.take(bucket))

  assert.equal(allowedOf(before), 3)
  assert.equal(allowedOf(afterwards), 3)
})

test('buckets expire in Redis', async (t) => {
  const { server, admin } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)

  await limits.take({ name: 'session', key: 'a', limit: 2, windowSeconds: 1 })
  const keys = await admin.keys('*')
  await sleep(600)

  assert.deepEqual(keys, ['limit:session:a'])
  assert.deepEqual(await admin.keys('*'), [])
})

test('the limit holds and no error occurs when Redis dies', async (t) => {
  const { server } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const [used, halfUsed, unused] = [perHour(10), perHour(10), perHour(10)]
  await manyTimes(10, () => limits.take(used))
  await manyTimes(6, () => limits.take(halfUsed))

  const racing = manyTimes(50, () => limits.take(unused))
  await server.stop()
  const taken = await racing
  const ofUsed = await manyTimes(20, () => limits.take(used))
  const ofHalfUsed = await manyTimes(20, () => limits.take(halfUsed))
  const ofNew = await manyTimes(20, () => limits.take(perHour(10)))
  const ofSame = perHour(10)
  const sameTwice = [
    ...(await manyTimes(15, () => limits.take(ofSame))),
    ...(await manyTimes(15, () => limits.take(ofSame))),
  ]

  assert.ok(allowedOf(taken) >= 10 && allowedOf(taken) <= 20, `${allowedOf(taken)}`)
  assert.equal(allowedOf(ofUsed), 0, 'an empty bucket stays empty')
  assert.equal(allowedOf(ofHalfUsed), 4)
  assert.equal(allowedOf(ofNew), 20, 'each key has its own bucket')
  assert.equal(allowedOf(sameTwice), 10)
})

test('each of four processes enforces a quarter of the limit while Redis is unavailable', async (t) => {
  const { server } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url, { RATE_LIMIT_FACTOR: 1, RATE_LIMIT_INSTANCES: 4 })
  const [bucket, small] = [perHour(40), perHour(2)]

  await server.stop()
  const taken = await manyTimes(30, () => limits.take(bucket))
  const ofSmall = await manyTimes(30, () => limits.take(small))

  assert.equal(allowedOf(taken), 10)
  assert.equal(allowedOf(ofSmall), 1, 'at least one request passes')
  assert.ok(taken.at(-1)!.resetSeconds > 350 && taken.at(-1)!.resetSeconds <= 360)
})

test('requests stay fast and the limit holds when Redis hangs', async (t) => {
  const { server } = await startServer(t)
  const { limits, redis } = await connectLimiter(t, server.url)
  const bucket = perHour(10)
  await manyTimes(4, () => limits.take(bucket))

  server.pause()
  const began = performance.now()
  const first = await limits.take(bucket)
  const firstMs = performance.now() - began
  const rest = await manyTimes(20, () => limits.take(bucket))
  const beganAgain = performance.now()
  await limits.take(bucket)
  const whileDownMs = performance.now() - beganAgain
  server.resume()

  assert.ok(firstMs < 250, `${firstMs}`)
  assert.ok(whileDownMs < 45, `${whileDownMs}`)
  assert.equal(redis.status(), 'down')
  assert.equal(allowedOf([first, ...rest]), 6)
})

test('without Redis a process counts locally, on its own clock', async () => {
  let now = 1_000_000
  const redis = openRedis({ log })
  const limits = createRateLimiter({ redis, config: normal, clock: { now: () => new Date(now) } })
  const bucket = perHour(10)

  const first = await manyTimes(12, () => limits.take(bucket))
  now += 720_000
  const later = await manyTimes(12, () => limits.take(bucket))
  now -= 500_000
  const clockSetBack = await limits.take(bucket)

  assert.equal(allowedOf(first), 10)
  assert.equal(allowedOf(later), 2)
  assert.equal(clockSetBack.allowed, false)
  assert.ok(clockSetBack.resetSeconds <= 360, 'a clock set back does not lengthen the wait')
})

test('RATE_LIMIT_FACTOR scales all limits, and 0 disables them', async (t) => {
  const { server, admin } = await startServer(t)
  const bucket = perHour(10)
  const half = await connectLimiter(t, server.url, { RATE_LIMIT_FACTOR: 0.5, RATE_LIMIT_INSTANCES: 1 })
  const tiny = await connectLimiter(t, server.url, { RATE_LIMIT_FACTOR: 0.001, RATE_LIMIT_INSTANCES: 1 })
  const off = createRateLimiter({ redis: half.redis, config: { ...normal, RATE_LIMIT_FACTOR: 0 }, clock: systemClock })

  const ofHalf = await manyTimes(20, () => half.limits.take(bucket))
  const ofTiny = await manyTimes(20, () => tiny.limits.take(perHour(10)))
  await admin.flushall()
  const ofOff = await manyTimes(100, () => off.take(bucket))

  assert.equal(allowedOf(ofHalf), 5)
  assert.equal(ofHalf[0]!.policy, '"signup";q=5;w=3600')
  assert.equal(allowedOf(ofTiny), 20, 'each first one passes')
  assert.equal(allowedOf(ofOff), 100)
  assert.deepEqual(await admin.keys('*'), [])
})
