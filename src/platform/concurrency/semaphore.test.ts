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
  const all = Array.from({ length: concurrency + maxQueued }, () => semaphore('acme', work))

  const rejected = await semaphore('acme', work).catch((error: unknown) => error)
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
  const failing = Array.from({ length: concurrency * 3 }, () =>
    semaphore('acme', () => Promise.reject(new Error('no'))),
  )

  const outcomes = await Promise.allSettled(failing)
  const next = await semaphore('acme', async () => 'done')

  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(next, 'done')
})

/** Runs one call at a time and records in which order the queued calls ran and which were rejected. */
async function recordOrder(
  calls: string[],
  options: { maxQueued: number },
): Promise<{ ran: string[]; rejected: string[] }> {
  const one = createSemaphore({ concurrency: 1, ...options })
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
  const [ran, rejected]: [string[], string[]] = [[], []]
  const first = one('busy', () => blocked)
  const pending = calls.map((call) =>
    one(call.split('-')[0]!, async () => void ran.push(call)).catch(() => void rejected.push(call)),
  )
  await nextTick()
  unblock()
  await Promise.all([first, ...pending])
  return { ran, rejected }
}

test('keys get their slots in turn, whatever the length of their queues', async () => {
  const { ran } = await recordOrder(['acme-1', 'acme-2', 'acme-3', 'beta-1', 'beta-2', 'gamma-1'], { maxQueued: 10 })

  assert.deepEqual(ran, ['acme-1', 'beta-1', 'gamma-1', 'acme-2', 'beta-2', 'acme-3'])
})

test('a full queue has room for other keys until all have the same share', async () => {
  const { ran, rejected } = await recordOrder(
    ['acme-1', 'acme-2', 'acme-3', 'acme-4', 'acme-5', 'beta-1', 'beta-2', 'beta-3', 'gamma-1'],
    { maxQueued: 4 },
  )

  assert.deepEqual(ran, ['acme-1', 'beta-1', 'gamma-1', 'beta-2'])
  assert.deepEqual(rejected.toSorted(), ['acme-2', 'acme-3', 'acme-4', 'acme-5', 'beta-3'])
})

test('a call that waits too long for a slot fails and leaves the queue', async () => {
  const one = createSemaphore({ concurrency: 1, maxQueued: 10, maxWaitMs: 20 })
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
  const first = one('acme', () => blocked)

  const late = await one('acme', async () => 'ran').catch((error: unknown) => error)
  unblock()
  await first
  const next = await one('acme', async () => 'ran')

  assert.ok(late instanceof AppError)
  assert.deepEqual([late.status, next], [429, 'ran'])
})

test('a key runs at most its share at the same time, and other keys are not blocked by it', async () => {
  const two = createSemaphore({ concurrency: 2, maxPerKey: 1, maxQueued: 10 })
  const started: string[] = []
  const finish = new Map<string, () => void>()
  const run = (key: string, name: string) =>
    two(key, () => {
      started.push(name)
      return new Promise<void>((resolve) => finish.set(name, resolve))
    })

  const running = [run('acme', 'acme-1'), run('acme', 'acme-2'), run('beta', 'beta-1'), run('beta', 'beta-2')]
  await nextTick()
  const first = [...started]
  finish.get('beta-1')!()
  await nextTick()
  const second = [...started]
  finish.get('acme-1')!()
  await nextTick()
  for (const name of ['acme-2', 'beta-2']) finish.get(name)!()
  await Promise.all(running)

  assert.deepEqual(first, ['acme-1', 'beta-1'])
  assert.deepEqual(second, ['acme-1', 'beta-1', 'beta-2'])
  assert.deepEqual(started, ['acme-1', 'beta-1', 'beta-2', 'acme-2'])
})

test('a call that is aborted while it waits leaves the queue', async () => {
  const one = createSemaphore({ concurrency: 1, maxQueued: 1 })
  const { promise: blocked, resolve: unblock } = Promise.withResolvers<void>()
  const first = one('acme', () => blocked)
  const abort = new AbortController()
  const waiting = one('acme', async () => 'ran', { signal: abort.signal })

  abort.abort(new Error('The job is lost.'))
  await assert.rejects(waiting, /The job is lost/)
  await assert.rejects(
    one('acme', async () => 'ran', { signal: abort.signal }),
    /The job is lost/,
  )
  const next = one('acme', async () => 'ran')
  unblock()
  await first

  assert.equal(await next, 'ran')
})
