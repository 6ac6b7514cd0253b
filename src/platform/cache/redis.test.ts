import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { newId } from '#platform/ids'
import { createLogger } from '#platform/telemetry'
import { freePort } from '../../testing/servers/processes.ts'
import { startRedis } from '../../testing/servers/redis.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { createCache, openRedis } from './index.ts'

type Cleanup = { after(fn: () => void | Promise<void>): void }

async function start(t: Cleanup) {
  const server = await startRedis()
  t.after(server.stop)
  return server
}

function open(t: Cleanup, url: string) {
  const lines: { level: string; msg: string }[] = []
  const log = createLogger({ LOG_LEVEL: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) })
  const redis = openRedis({ REDIS_URL: url, log })
  t.after(redis.close)
  return { redis, cache: createCache({ redis }), lines }
}

async function timed<T>(work: () => Promise<T>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

test('the service starts without Redis and uses it once it is available', async (t) => {
  const port = await freePort()
  const { cache } = open(t, `redis://127.0.0.1:${port}`)
  const acme = newId()

  const loaded = await cache.getOrLoad(acme, 'count', 60, async () => 1)
  const statusBefore = cache.status()
  const server = await startRedis({ port })
  t.after(server.stop)
  await waitUntil(() => cache.status() === 'ok')

  assert.equal(loaded, 1)
  assert.equal(statusBefore, 'down')
  assert.equal(await cache.get(acme, 'count'), undefined)
  assert.ok((await cache.ping())! < 50)
})

test('when Redis dies values are loaded again, and only the log reports it', async (t) => {
  const server = await start(t)
  const { cache, lines } = open(t, server.url)
  await waitUntil(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'count', 1, 60)

  await server.stop()
  const results = await Promise.all(Array.from({ length: 20 }, () => cache.getOrLoad(acme, 'count', 60, async () => 2)))
  await cache.set(acme, 'count', 3, 60)
  await cache.invalidate(acme, 'count')
  const missed = await cache.get(acme, 'count')
  const statusWhileDown = cache.status()
  const again = await startRedis({ port: server.port })
  t.after(again.stop)
  await waitUntil(() => cache.status() === 'ok')

  assert.deepEqual(new Set(results), new Set([2]))
  assert.equal(missed, undefined)
  assert.equal(statusWhileDown, 'down')
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['warn', 'info'],
  )
  assert.doesNotMatch(JSON.stringify(lines), /127\.0\.0\.1/)
})

test('when Redis hangs the first five commands wait 50 ms and later ones do not wait', async (t) => {
  const server = await start(t)
  const { cache } = open(t, server.url)
  await waitUntil(() => cache.status() === 'ok')
  const acme = newId()

  server.pause()
  const waits: number[] = []
  for (let i = 0; i < 10; i++) waits.push(await timed(() => cache.get(acme, 'count')))
  const whileDown = await timed(() => cache.getOrLoad(acme, 'count', 60, async () => 1))
  const statusWhileDown = cache.status()
  server.resume()
  await waitUntil(() => cache.status() === 'ok')
  await cache.set(acme, 'count', 5, 60)

  assert.ok(
    waits.slice(0, 5).every((ms) => ms < 150),
    `waited ${waits}`,
  )
  assert.ok(
    waits.slice(5).every((ms) => ms < 20),
    `waited ${waits}`,
  )
  assert.ok(whileDown < 45)
  assert.equal(statusWhileDown, 'down')
  assert.equal(await cache.get(acme, 'count'), 5)
})

test('a dead connection is closed and reopened', async (t) => {
  const server = await start(t)
  const { redis } = open(t, server.url)
  await waitUntil(() => redis.status() === 'ok')
  const idBefore = await redis.run((client) => client.client('ID'))

  server.pause()
  await Promise.all(Array.from({ length: 5 }, () => redis.run((client) => client.ping())))
  await sleep(2_500)
  server.resume()
  await waitUntil(() => redis.status() === 'ok')

  assert.notEqual(await redis.run((client) => client.client('ID')), idBefore)
})

test('an invalidation made while Redis hung is applied before the next read', async (t) => {
  const server = await start(t)
  const { cache } = open(t, server.url)
  await waitUntil(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'name', 'old', 60)

  server.pause()
  const waited = await timed(() => cache.invalidate(acme, 'name'))
  const readImmediately = await cache.get(acme, 'name')
  server.resume()
  await waitUntil(() => cache.status() === 'ok')

  assert.ok(waited < 250)
  assert.equal(readImmediately, undefined)
  assert.equal(await cache.get(acme, 'name'), undefined)
})

test('an invalidation made while the connection was lost is applied before the next read', async (t) => {
  const server = await start(t)
  const admin = new Client(server.url)
  t.after(() => admin.disconnect())
  const { cache, redis } = open(t, server.url)
  await waitUntil(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'name', 'old', 60)

  const id = await redis.run((client) => client.client('ID'))
  await admin.client('KILL', 'ID', id!)
  await waitUntil(() => cache.status() === 'down')
  await cache.invalidate(acme, 'name')
  const cachedWhileDown = await admin.get(`${acme}:name`)
  await waitUntil(() => cache.status() === 'ok')

  assert.equal(cachedWhileDown, '"old"')
  assert.equal(await cache.get(acme, 'name'), undefined)
})

test('a full Redis still applies invalidations and does not count as down', async (t) => {
  const server = await start(t)
  const admin = new Client(server.url)
  t.after(() => admin.disconnect())
  const { cache, lines } = open(t, server.url)
  await waitUntil(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'name', 'old', 60)
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await admin.config('SET', 'maxmemory', '1')

  for (let i = 0; i < 10; i++) await cache.set(acme, `more ${i}`, 'x', 60)
  await cache.invalidate(acme, 'name')

  assert.equal(await cache.get(acme, 'name'), undefined)
  assert.equal(cache.status(), 'ok')
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['Redis rejected a command'],
  )
})

test('a blocked event loop does not count as a Redis failure', async (t) => {
  const server = await start(t)
  const { redis } = open(t, server.url)
  await waitUntil(() => redis.status() === 'ok')

  // After setImmediate, timers run before pending I/O.
  await new Promise(setImmediate)
  const replies = Array.from({ length: 10 }, () => redis.run((client) => client.ping()))
  const busyUntil = performance.now() + 120
  while (performance.now() < busyUntil);

  assert.deepEqual(new Set(await Promise.all(replies)), new Set(['PONG']))
  assert.equal(redis.status(), 'ok')
})
