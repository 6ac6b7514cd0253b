import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allowedOf, connectLimiter, manyTimes, perHour, startServer } from './rate-limiter.fixture.ts'

test('a refund returns a token, but never more than was taken', async (t) => {
  const { server, admin } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const bucket = perHour(3)
  await manyTimes(3, () => limits.take(bucket))

  await limits.refund([bucket])
  const refunded = await manyTimes(2, () => limits.take(bucket))
  await manyTimes(5, () => limits.refund([bucket]))
  const keys = await admin.keys('*')
  const full = await manyTimes(5, () => limits.take(bucket))
  await server.stop()
  await limits.refund([bucket])
  const withoutRedis = await manyTimes(2, () => limits.take(bucket))

  assert.equal(allowedOf(refunded), 1)
  assert.deepEqual(keys, [])
  assert.equal(allowedOf(full), 3)
  assert.equal(allowedOf(withoutRedis), 1)
})

test('a check in memory knows the last state of a bucket and takes nothing', async (t) => {
  const { server, admin } = await startServer(t)
  const { limits } = await connectLimiter(t, server.url)
  const bucket = perHour(2)
  const before = limits.check([bucket])
  await manyTimes(2, () => limits.take(bucket))
  await admin.config('RESETSTAT')

  const exhausted = limits.check([bucket, perHour(5)])
  const stats = await admin.info('commandstats')

  assert.deepEqual([before[0]!.allowed, before[0]!.remaining], [true, 2])
  assert.deepEqual(
    exhausted.map(({ allowed, remaining }) => [allowed, remaining]),
    [
      [false, 0],
      [true, 5],
    ],
  )
  assert.ok(exhausted[0]!.resetSeconds > 1_700)
  assert.doesNotMatch(stats, /cmdstat_evalsha/)
})
