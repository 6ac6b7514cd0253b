import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { newId } from '#platform/ids'
import { createLogger } from '#platform/telemetry'
import { startRedis } from '../../testing/servers/redis.ts'
import { waitUntil } from '../../testing/wait-until.ts'
import { createCache, openRedis } from './index.ts'
import { createMemoryStore } from './memory-store.ts'

const log = createLogger({ LOG_LEVEL: 'silent' })
let server: Awaited<ReturnType<typeof startRedis>>
before(async () => {
  server = await startRedis()
})
after(() => server.stop())

/** Opens a cache as a separate process would. */
async function openProcessCache(t: { after(fn: () => void): void }, url = server.url) {
  const redis = openRedis({ REDIS_URL: url, log })
  const cache = createCache({ redis })
  t.after(cache.close)
  await waitUntil(() => cache.status() === 'ok')
  return cache
}

test('a cached value is visible to all processes but only to its tenant', async (t) => {
  const [one, other] = [await openProcessCache(t), await openProcessCache(t)]
  const [acme, globex] = [newId(), newId()]

  await one.set(acme, 'settings', { currency: 'EUR' }, 60)

  assert.deepEqual(await other.get(acme, 'settings'), { currency: 'EUR' })
  assert.equal(await other.get(globex, 'settings'), undefined)
})

test('every key starts with the tenant id and has a TTL', async (t) => {
  const cache = await openProcessCache(t)
  const admin = new Client(server.url)
  t.after(() => admin.disconnect())
  await admin.flushall()
  const acme = newId()

  await cache.set(acme, 'settings', 1, 60)
  await cache.getOrLoad(acme, 'count', 30, async () => 2)
  await cache.invalidate(acme, 'other')

  const keys = await admin.keys('*')
  assert.equal(keys.length, 3)
  for (const key of keys) {
    assert.ok(key.startsWith(`${acme}:`), key)
    assert.ok((await admin.ttl(key)) > 0, key)
  }
})

test('a cached null is not a miss', async (t) => {
  const cache = await openProcessCache(t)
  const acme = newId()

  await cache.set(acme, 'logo', null, 60)

  assert.equal(await cache.get(acme, 'logo'), null)
  assert.equal(await cache.get(acme, 'name'), undefined)
})

test('a value expires after its TTL', async (t) => {
  const cache = await openProcessCache(t)
  const acme = newId()
  await cache.set(acme, 'count', 1, 1)

  await sleep(1_100)

  assert.equal(await cache.get(acme, 'count'), undefined)
})

test('fifty concurrent reads cause one load', async (t) => {
  const [one, other] = [await openProcessCache(t), await openProcessCache(t)]
  const acme = newId()
  let loads = 0
  const load = async () => {
    loads += 1
    await sleep(30)
    return { total: 7 }
  }

  const results = await Promise.all(Array.from({ length: 50 }, () => one.getOrLoad(acme, 'total', 60, load)))
  const elsewhere = await other.getOrLoad(acme, 'total', 60, load)

  assert.equal(loads, 1)
  assert.deepEqual(elsewhere, { total: 7 })
  for (const result of results) assert.deepEqual(result, { total: 7 })
  assert.notEqual(results[0], results[1], 'callers must not share a mutable value')
})

test('a failed load rejects for all waiting callers and is retried on the next read', async (t) => {
  const cache = await openProcessCache(t)
  const acme = newId()
  const fail = async () => {
    await sleep(10)
    throw new Error('no database')
  }

  const failed = await Promise.allSettled([1, 2, 3].map(() => cache.getOrLoad(acme, 'total', 60, fail)))
  const retried = await cache.getOrLoad(acme, 'total', 60, async () => 3)

  assert.deepEqual(new Set(failed.map(({ status }) => status)), new Set(['rejected']))
  assert.equal(retried, 3)
})

test('a loaded value equals the cached value', async (t) => {
  const cache = await openProcessCache(t)
  const acme = newId()
  const load = async () => ({ at: new Date(0) })

  const loaded = await cache.getOrLoad(acme, 'last', 60, load)
  const cached = await cache.getOrLoad(acme, 'last', 60, load)

  assert.deepEqual(loaded, { at: '1970-01-01T00:00:00.000Z' })
  assert.deepEqual(cached, loaded)
})

test('a load in another process that started before an invalidation does not cache the old value', async (t) => {
  const [here, elsewhere] = [await openProcessCache(t), await openProcessCache(t)]
  const acme = newId()
  const read = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const slow = elsewhere.getOrLoad(acme, 'name', 60, () => {
    begun.resolve()
    return read.promise
  })
  await begun.promise

  await here.invalidate(acme, 'name')
  read.resolve('old')
  await slow

  assert.equal(await here.get(acme, 'name'), undefined)
})

for (const store of ['in Redis', 'in memory'] as const) {
  test(`a read after an invalidation does not get a value whose load started before it, ${store}`, async (t) => {
    const cache = store === 'in Redis' ? await openProcessCache(t) : createCache({ redis: openRedis({ log }) })
    const acme = newId()
    const read = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    const slow = cache.getOrLoad(acme, 'name', 60, () => {
      begun.resolve()
      return read.promise
    })
    await begun.promise

    await cache.invalidate(acme, 'name')
    const fresh = cache.getOrLoad(acme, 'name', 60, async () => 'new')
    const first = await Promise.race([fresh, sleep(1_000, 'still waiting for the old one')])
    read.resolve('old')
    await slow

    assert.equal(first, 'new')
    assert.notEqual(await cache.get(acme, 'name'), 'old')
  })
}

test('without Redis a process caches values in memory until they expire', async () => {
  let now = 0
  const redis = openRedis({ log })
  const cache = createCache({ redis, clock: { now: () => new Date(now) } })
  const acme = newId()

  await cache.set(acme, 'count', 1, 60)
  const cached = await cache.get(acme, 'count')
  now = 60_000

  assert.equal(cache.status(), 'disabled')
  assert.equal(cached, 1)
  assert.equal(await cache.get(acme, 'count'), undefined)
  assert.equal(await cache.ping(), undefined)
})

test('the memory store evicts the least recently used entry', async () => {
  const memory = createMemoryStore({ now: () => new Date(0) }, { maxEntries: 2 })

  await memory.write('old', '1', 60)
  await memory.write('unused', '2', 60)
  await memory.read('old')
  await memory.write('new', '3', 60)

  assert.equal(await memory.read('old'), '1')
  assert.equal(await memory.read('unused'), undefined)
  assert.equal(await memory.read('new'), '3')
})

test('the memory store evicts entries above its total size, also when values are replaced', async () => {
  const memory = createMemoryStore({ now: () => new Date(0) }, { maxCharacters: 1_000 })
  const names = ['a', 'b', 'c', 'd']

  for (const name of names) await memory.write(name, 'x'.repeat(400), 60)
  const afterFour = await Promise.all(names.map(memory.read))
  await memory.write('d', 'x'.repeat(900), 60)
  const afterGrowth = await Promise.all(names.map(memory.read))
  await memory.remove('d')
  for (const name of ['a', 'b']) await memory.write(name, 'x'.repeat(400), 60)

  assert.deepEqual(afterFour.map(Boolean), [false, false, true, true])
  assert.deepEqual(afterGrowth.map(Boolean), [false, false, false, true])
  assert.deepEqual((await Promise.all(names.map(memory.read))).map(Boolean), [true, true, false, false])
})

test('the hit rate covers the last hour', async () => {
  let now = 0
  const cache = createCache({ redis: openRedis({ log }), clock: { now: () => new Date(now) } })
  const acme = newId()
  const before = cache.hitRate()

  await cache.getOrLoad(acme, 'count', 7_200, async () => 1)
  await cache.getOrLoad(acme, 'count', 7_200, async () => 1)
  const halfWay = cache.hitRate()
  now = 61 * 60_000
  await cache.get(acme, 'count')

  assert.equal(before, null)
  assert.equal(halfWay, 0.5)
  assert.equal(cache.hitRate(), 1)
})
