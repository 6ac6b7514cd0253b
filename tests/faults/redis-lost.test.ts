// An outage of Redis must not lose data or revocations; the service only gets slower.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startRedis, startTestApp } from '#testing'

let redis = await startRedis()
after(() => redis.stop())
const { tenant } = await startTestApp({ REDIS_URL: redis.url, RATE_LIMIT_FACTOR: '100' })
const flush = () => execFileSync('redis-cli', ['-p', String(redis.port), 'flushall'])

test('no request fails and no session is lost while Redis is flushed and stopped under load', async () => {
  const acme = await tenant()
  const users = [acme.admin, acme.manager, acme.member, acme.viewer]
  const statuses: number[] = []
  let isOver = false
  const load = users.map(async (user) => {
    while (!isOver) statuses.push((await user.get('/api/auth/me')).status)
  })

  await sleep(300)
  flush()
  await sleep(500)
  await redis.stop()
  await sleep(1_500)
  redis = await startRedis({ port: redis.port })
  await sleep(1_500)
  isOver = true
  await Promise.all(load)

  assert.ok(statuses.length > 50, `${statuses.length} requests`)
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
