import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { mapConcurrently } from './map-concurrently.ts'

test('items are mapped in order with limited concurrency', async () => {
  let running = 0
  let mostRunning = 0

  const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (item) => {
    mostRunning = Math.max(mostRunning, ++running)
    await sleep(item)
    running--
    return item * 10
  })

  assert.deepEqual(results, [50, 10, 40, 20, 30])
  assert.equal(mostRunning, 2)
})

test('after an error the running calls end and no further one starts', async () => {
  const started: number[] = []
  const ended: number[] = []

  const mapping = mapConcurrently([1, 2, 3, 4, 5], 2, async (item) => {
    started.push(item)
    if (item === 2) throw new Error('no')
    await sleep(5)
    ended.push(item)
  })

  await assert.rejects(mapping, /no/)
  assert.deepEqual([started, ended], [[1, 2], [1]])
})
