import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { newId } from '#platform/ids'
import { openLog } from '#platform/telemetry'
import { freePort } from '../../testing/processes.ts'
import { startRedis } from '../../testing/redis.ts'
import { openCache, openRedis } from './index.ts'

type Cleanup = { after(fn: () => void | Promise<void>): void }

async function start(t: Cleanup) {
  const server = await startRedis()
  t.after(server.stop)
  return server
}

function open(t: Cleanup, url: string) {
  const lines: { level: string; msg: string }[] = []
  const log = openLog({ LOG_LEVEL: 'debug' }, { write: (line) => lines.push(JSON.parse(line)) })
  const redis = openRedis({ REDIS_URL: url, log })
  t.after(redis.close)
  return { redis, cache: openCache({ redis }), lines }
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 10) {
    assert.ok(waited < 8_000, 'it did not come to pass in time')
    await sleep(10)
  }
}

async function timed<T>(work: () => Promise<T>): Promise<number> {
  const start = performance.now()
  await work()
  return performance.now() - start
}

test('the service starts without waiting for Redis, and takes it when it comes', async (t) => {
  const port = await freePort()
  const { cache } = open(t, `redis://127.0.0.1:${port}`)
  const acme = newId()

  const loaded = await cache.remember(acme, 'count', 60, async () => 1)
  const statusBefore = cache.status()
  const server = await startRedis({ port })
  t.after(server.stop)
  await until(() => cache.status() === 'ok')

  assert.equal(loaded, 1)
  assert.equal(statusBefore, 'down')
  assert.equal(await cache.get(acme, 'count'), undefined)
  assert.ok((await cache.ping())! < 50)
})

test('when Redis dies everything is loaded anew, and nobody hears of it but the log', async (t) => {
  const server = await start(t)
  const { cache, lines } = open(t, server.url)
  await until(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'count', 1, 60)

  await server.stop()
  const answers = await Promise.all(Array.from({ length: 20 }, () => cache.remember(acme, 'count', 60, async () => 2)))
  await cache.set(acme, 'count', 3, 60)
  await cache.forget(acme, 'count')
  const missed = await cache.get(acme, 'count')
  const statusWhileAway = cache.status()
  const again = await startRedis({ port: server.port })
  t.after(again.stop)
  await until(() => cache.status() === 'ok')

  assert.deepEqual(new Set(answers), new Set([2]))
  assert.equal(missed, undefined)
  assert.equal(statusWhileAway, 'down')
  assert.deepEqual(
    lines.map(({ level }) => level),
    ['warn', 'info'],
  )
  assert.doesNotMatch(JSON.stringify(lines), /127\.0\.0\.1/)
})

test('when Redis hangs the first few wait 50 ms, and then nobody waits', async (t) => {
  const server = await start(t)
  const { cache } = open(t, server.url)
  await until(() => cache.status() === 'ok')
  const acme = newId()

  server.pause()
  const waits: number[] = []
  for (let i = 0; i < 10; i++) waits.push(await timed(() => cache.get(acme, 'count')))
  const whileAway = await timed(() => cache.remember(acme, 'count', 60, async () => 1))
  const statusWhileAway = cache.status()
  server.resume()
  await until(() => cache.status() === 'ok')
  await cache.set(acme, 'count', 5, 60)

  assert.ok(
    waits.slice(0, 5).every((ms) => ms < 150),
    `waited ${waits}`,
  )
  assert.ok(
    waits.slice(5).every((ms) => ms < 20),
    `waited ${waits}`,
  )
  assert.ok(whileAway < 45)
  assert.equal(statusWhileAway, 'down')
  assert.equal(await cache.get(acme, 'count'), 5)
})

test('a connection that went dead is given up and made anew', async (t) => {
  const server = await start(t)
  const { redis } = open(t, server.url)
  await until(() => redis.status() === 'ok')
  const idBefore = await redis.run((client) => client.client('ID'))

  server.pause()
  await Promise.all(Array.from({ length: 5 }, () => redis.run((client) => client.ping())))
  await sleep(2_500)
  server.resume()
  await until(() => redis.status() === 'ok')

  assert.notEqual(await redis.run((client) => client.client('ID')), idBefore)
})

test('what was forgotten while Redis hung is forgotten before it is asked again', async (t) => {
  const server = await start(t)
  const { cache } = open(t, server.url)
  await until(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'name', 'old', 60)

  server.pause()
  const waited = await timed(() => cache.forget(acme, 'name'))
  const seenAtOnce = await cache.get(acme, 'name')
  server.resume()
  await until(() => cache.status() === 'ok')

  assert.ok(waited < 250)
  assert.equal(seenAtOnce, undefined)
  assert.equal(await cache.get(acme, 'name'), undefined)
})

test('what was forgotten while the way to Redis was cut is forgotten before it is asked again', async (t) => {
  const server = await start(t)
  const admin = new Client(server.url)
  t.after(() => admin.disconnect())
  const { cache, redis } = open(t, server.url)
  await until(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'name', 'old', 60)

  const id = await redis.run((client) => client.client('ID'))
  await admin.client('KILL', 'ID', id!)
  await until(() => cache.status() === 'down')
  await cache.forget(acme, 'name')
  const keptMeanwhile = await admin.get(`${acme}:name`)
  await until(() => cache.status() === 'ok')

  assert.equal(keptMeanwhile, '"old"')
  assert.equal(await cache.get(acme, 'name'), undefined)
})

test('a Redis that is full still forgets, and is not taken for dead', async (t) => {
  const server = await start(t)
  const admin = new Client(server.url)
  t.after(() => admin.disconnect())
  const { cache, lines } = open(t, server.url)
  await until(() => cache.status() === 'ok')
  const acme = newId()
  await cache.set(acme, 'name', 'old', 60)
  await admin.config('SET', 'maxmemory-policy', 'noeviction')
  await admin.config('SET', 'maxmemory', '1')

  for (let i = 0; i < 10; i++) await cache.set(acme, `more ${i}`, 'x', 60)
  await cache.forget(acme, 'name')

  assert.equal(await cache.get(acme, 'name'), undefined)
  assert.equal(cache.status(), 'ok')
  assert.deepEqual(
    lines.map(({ msg }) => msg),
    ['Redis refused a command'],
  )
})

test('a pause of our own is not blamed on Redis', async (t) => {
  const server = await start(t)
  const { redis } = open(t, server.url)
  await until(() => redis.status() === 'ok')

  // From here the timers come before what has arrived.
  await new Promise(setImmediate)
  const answers = Array.from({ length: 10 }, () => redis.run((client) => client.ping()))
  const busyUntil = performance.now() + 120
  while (performance.now() < busyUntil);

  assert.deepEqual(new Set(await Promise.all(answers)), new Set(['PONG']))
  assert.equal(redis.status(), 'ok')
})
