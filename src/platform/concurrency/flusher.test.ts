import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createFlusher } from './flusher.ts'

test('writes run one at a time, and an explicit flush replaces the scheduled one', async () => {
  let running = 0
  let mostRunning = 0
  let writes = 0
  const { flush, scheduleFlush } = createFlusher(async () => {
    mostRunning = Math.max(mostRunning, ++running)
    await sleep(5)
    running--
    writes++
  })

  scheduleFlush(20)
  scheduleFlush(1)
  await Promise.all([flush(), flush()])
  await sleep(40)

  assert.deepEqual([mostRunning, writes], [1, 2])
})
