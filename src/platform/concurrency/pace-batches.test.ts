import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createBatchPace } from './map-concurrently.ts'

const { signal } = new AbortController()

async function measure(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now()
  await work()
  return performance.now() - startedAt
}

test('a batch that took longer than the fastest one is followed by a pause', async () => {
  const pace = createBatchPace()
  await pace(20, signal)

  const pauseMs = await measure(() => pace(100, signal))

  // Timers may end up to a millisecond early.
  assert.ok(pauseMs >= 69, `${pauseMs} ms`)
})

test('a batch of usual length has no pause, and an aborted task does not wait', async () => {
  const pace = createBatchPace()
  const hour = 3_600_000

  await pace(hour, signal)
  await pace(1.4 * hour, signal)
  await pace(1, signal)
  const aborted = pace(hour, AbortSignal.abort()).then(() => 'ended')

  assert.equal(await Promise.race([aborted, sleep(250, 'waits')]), 'ended')
})
