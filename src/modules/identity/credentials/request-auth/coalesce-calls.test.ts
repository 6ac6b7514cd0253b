import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { coalesceCalls } from './auth-caches.ts'

test('a caller does not get a result that was requested before its call', async () => {
  const pending: (() => void)[] = []
  let value = 0
  const load = coalesceCalls(async () => {
    const seen = value
    await new Promise<void>((resolve) => pending.push(resolve))
    return seen
  })

  const first = load('acme')
  value = 1
  const [second, third] = [load('acme'), load('acme')]
  pending.shift()!()
  assert.equal(await first, 0)
  await nextTick()
  pending.shift()!()
  assert.deepEqual(await Promise.all([second, third]), [1, 1])
  await nextTick()
  value = 2
  const fourth = load('acme')
  pending.shift()!()
  assert.equal(await fourth, 2)
  assert.equal(pending.length, 0)
})

test('a failed call rejects its callers and is repeated for the next ones', async () => {
  let isFailing = true
  const load = coalesceCalls(async () => {
    await nextTick()
    if (isFailing) throw new Error('failed')
    return 'loaded'
  })

  const [first, second] = [load('acme'), load('acme')]
  await assert.rejects(first)
  isFailing = false

  assert.equal(await second, 'loaded')
})
