import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { AppError } from '#platform/errors'
import { createSemaphore } from './semaphore.ts'

const concurrency = 4
const maxQueued = 20
const semaphore = createSemaphore({ concurrency, maxQueued })

test('a semaphore limits running and queued calls and rejects the rest with 429', async () => {
  let running = 0
  let mostRunning = 0
  const finish: (() => void)[] = []
  const work = async () => {
    mostRunning = Math.max(mostRunning, ++running)
    await new Promise<void>((resolve) => finish.push(resolve))
    running--
  }
  const all = Array.from({ length: concurrency + maxQueued }, () => semaphore(work))

  const rejected = await semaphore(work).catch((error: unknown) => error)
  for (let done = 0; done < all.length; ) {
    await nextTick()
    done += finish.splice(0).map((end) => end()).length
  }
  await Promise.all(all)

  assert.ok(rejected instanceof AppError)
  assert.equal(rejected.status, 429)
  assert.ok(Number(rejected.headers['retry-after']) > 0)
  assert.equal(mostRunning, concurrency)
})

test('a failed call releases its slot', async () => {
  const failing = Array.from({ length: concurrency * 3 }, () => semaphore(() => Promise.reject(new Error('no'))))

  const outcomes = await Promise.allSettled(failing)
  const next = await semaphore(async () => 'done')

  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(next, 'done')
})
