import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Redis as Client } from 'ioredis'
import { newId } from '#platform/ids'
import { openLog } from '#platform/telemetry'
import { startRedis } from '../../testing/redis.ts'
import { openCache, openRedis } from './index.ts'
import { openMemory } from './memory.ts'

const log = openLog({ LOG_LEVEL: 'silent' })
let server: Awaited<ReturnType<typeof startRedis>>
before(async () => {
  server = await startRedis()
})
after(() => server.stop())

/** As one process has it. */
async function cacheOf(t: { after(fn: () => void): void }, url = server.url) {
  const redis = openRedis({ REDIS_URL: url, log })
  const cache = openCache({ redis })
  t.after(cache.close)
  await until(() => cache.status() === 'ok')
  return cache
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let waited = 0; !isTrue(); waited += 10) {
    assert.ok(waited < 8_000, 'it did not come to pass in time')
    await sleep(10)
  }
}

test('a kept value is seen by every process of its tenant, and by no other tenant', async (t) => {
  const [one, other] = [await cacheOf(t), await cacheOf(t)]
  const [acme, globex] = [newId(), newId()]

  await one.set(acme, 'settings', { currency: 'EUR' }, 60)

  assert.deepEqual(await other.get(acme, 'settings'), { currency: 'EUR' })
  assert.equal(await other.get(globex, 'settings'), undefined)
})

test('every key begins with the tenant, and every value ends by itself', async (t) => {
  const cache = await cacheOf(t)
  const admin = new Client(server.url)
  t.after(() => admin.disconnect())
  await admin.flushall()
  const acme = newId()

  await cache.set(acme, 'settings', 1, 60)
  await cache.remember(acme, 'count', 30, async () => 2)
  await cache.forget(acme, 'other')

  const keys = await admin.keys('*')
  assert.equal(keys.length, 3)
  for (const key of keys) {
    assert.ok(key.startsWith(`${acme}:`), key)
    assert.ok((await admin.ttl(key)) > 0, key)
  }
})

test('nothing and no value are two things', async (t) => {
  const cache = await cacheOf(t)
  const acme = newId()

  await cache.set(acme, 'logo', null, 60)

  assert.equal(await cache.get(acme, 'logo'), null)
  assert.equal(await cache.get(acme, 'name'), undefined)
})

test('a value is gone when its time is over', async (t) => {
  const cache = await cacheOf(t)
  const acme = newId()
  await cache.set(acme, 'count', 1, 1)

  await sleep(1_100)

  assert.equal(await cache.get(acme, 'count'), undefined)
})

test('fifty who ask at once cause one load', async (t) => {
  const [one, other] = [await cacheOf(t), await cacheOf(t)]
  const acme = newId()
  let loads = 0
  const load = async () => {
    loads += 1
    await sleep(30)
    return { total: 7 }
  }

  const answers = await Promise.all(Array.from({ length: 50 }, () => one.remember(acme, 'total', 60, load)))
  const elsewhere = await other.remember(acme, 'total', 60, load)

  assert.equal(loads, 1)
  assert.deepEqual(elsewhere, { total: 7 })
  for (const answer of answers) assert.deepEqual(answer, { total: 7 })
  assert.notEqual(answers[0], answers[1], 'what one caller does to the value, the other must not see')
})

test('a load that fails is heard by all who wait for it, and tried again', async (t) => {
  const cache = await cacheOf(t)
  const acme = newId()
  const fail = async () => {
    await sleep(10)
    throw new Error('no database')
  }

  const failed = await Promise.allSettled([1, 2, 3].map(() => cache.remember(acme, 'total', 60, fail)))
  const then = await cache.remember(acme, 'total', 60, async () => 3)

  assert.deepEqual(new Set(failed.map(({ status }) => status)), new Set(['rejected']))
  assert.equal(then, 3)
})

test('a value looks the same when it was just loaded and when it was kept', async (t) => {
  const cache = await cacheOf(t)
  const acme = newId()
  const load = async () => ({ at: new Date(0) })

  const loaded = await cache.remember(acme, 'last', 60, load)
  const kept = await cache.remember(acme, 'last', 60, load)

  assert.deepEqual(loaded, { at: '1970-01-01T00:00:00.000Z' })
  assert.deepEqual(kept, loaded)
})

test('who began to load elsewhere before a change does not keep the old value', async (t) => {
  const [here, elsewhere] = [await cacheOf(t), await cacheOf(t)]
  const acme = newId()
  const read = Promise.withResolvers<string>()
  const begun = Promise.withResolvers<void>()
  const slow = elsewhere.remember(acme, 'name', 60, () => {
    begun.resolve()
    return read.promise
  })
  await begun.promise

  await here.forget(acme, 'name')
  read.resolve('old')
  await slow

  assert.equal(await here.get(acme, 'name'), undefined)
})

for (const where of ['in Redis', 'in the process'] as const) {
  test(`who asks after a change does not get what was being loaded before it, ${where}`, async (t) => {
    const cache = where === 'in Redis' ? await cacheOf(t) : openCache({ redis: openRedis({ log }) })
    const acme = newId()
    const read = Promise.withResolvers<string>()
    const begun = Promise.withResolvers<void>()
    const slow = cache.remember(acme, 'name', 60, () => {
      begun.resolve()
      return read.promise
    })
    await begun.promise

    await cache.forget(acme, 'name')
    const fresh = cache.remember(acme, 'name', 60, async () => 'new')
    const first = await Promise.race([fresh, sleep(1_000, 'still waiting for the old one')])
    read.resolve('old')
    await slow

    assert.equal(first, 'new')
    assert.notEqual(await cache.get(acme, 'name'), 'old')
  })
}

test('without Redis a process keeps values for itself, until their time is over', async () => {
  let now = 0
  const redis = openRedis({ log })
  const cache = openCache({ redis, clock: { now: () => new Date(now) } })
  const acme = newId()

  await cache.set(acme, 'count', 1, 60)
  const kept = await cache.get(acme, 'count')
  now = 60_000

  assert.equal(cache.status(), 'disabled')
  assert.equal(kept, 1)
  assert.equal(await cache.get(acme, 'count'), undefined)
  assert.equal(await cache.ping(), undefined)
})

test('without Redis only so much is kept: what nobody asked for goes first', async () => {
  const memory = openMemory({ now: () => new Date(0) }, 2)

  await memory.write('old', '1', 60)
  await memory.write('liked', '2', 60)
  await memory.read('old')
  await memory.write('new', '3', 60)

  assert.equal(await memory.read('old'), '1')
  assert.equal(await memory.read('liked'), undefined)
  assert.equal(await memory.read('new'), '3')
})

test('the rate of hits tells of the last hour', async () => {
  let now = 0
  const cache = openCache({ redis: openRedis({ log }), clock: { now: () => new Date(now) } })
  const acme = newId()
  const before = cache.hitRate()

  await cache.remember(acme, 'count', 7_200, async () => 1)
  await cache.remember(acme, 'count', 7_200, async () => 1)
  const halfWay = cache.hitRate()
  now = 61 * 60_000
  await cache.get(acme, 'count')

  assert.equal(before, null)
  assert.equal(halfWay, 0.5)
  assert.equal(cache.hitRate(), 1)
})
