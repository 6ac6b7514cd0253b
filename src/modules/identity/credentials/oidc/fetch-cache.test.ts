import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestClock } from '#testing'
import { cacheFetches } from './fetch-cache.ts'

/** A source that counts fetches and can fail. */
function createSource() {
  const clock = createTestClock()
  const state = { fetched: 0, isBroken: false }
  const cache = cacheFetches(clock, async () => {
    state.fetched++
    if (state.isBroken) throw new Error('broken')
    return state.fetched
  })
  return { clock, state, cache }
}

test('a result is cached for an hour and shared by concurrent callers', async () => {
  const { clock, cache } = createSource()

  assert.deepEqual(await Promise.all([1, 2, 3].map(() => cache.get('a'))), [1, 1, 1])
  clock.advance(3_599)
  assert.equal(await cache.get('a'), 1)
  clock.advance(2)
  assert.equal(await cache.get('a'), 2)
})

test('a refetch happens at most once per minute', async () => {
  const { clock, cache } = createSource()
  await cache.get('a')

  assert.equal(await cache.refetch('a'), 1)
  clock.advance(61)
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => cache.refetch('a'))), [2, 2, 2])
  assert.equal(await cache.refetch('a'), 2)
})

test('a failure is not cached and does not remove the cached result', async () => {
  const { clock, state, cache } = createSource()
  state.isBroken = true
  await assert.rejects(cache.get('a'))
  state.isBroken = false
  assert.equal(await cache.get('a'), 2)

  clock.advance(61)
  state.isBroken = true
  await assert.rejects(cache.refetch('a'))
  assert.equal(await cache.get('a'), 2)
  assert.equal(await cache.refetch('a'), 2, 'no refetch within a minute of a failure')
  assert.equal(state.fetched, 3)
})

test('the number of entries is limited', async () => {
  const { state, cache } = createSource()
  for (let index = 0; index <= 1_000; index++) await cache.get(String(index))

  await cache.get('1000')
  assert.equal(state.fetched, 1_001)
  await cache.get('0')
  assert.equal(state.fetched, 1_002)
})
