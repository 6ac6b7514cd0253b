import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { createFloodDelay } from './connection-limits.ts'

function startFloodDelay() {
  const time = { ms: 0 }
  const waits: (() => void)[] = []
  const wait = () => new Promise<void>((resolve) => void waits.push(resolve))
  const delayFlood = createFloodDelay({ now: () => time.ms, wait })
  const answered: string[] = []
  return {
    time,
    answered,
    refuse: (network: string) => delayFlood(network).then(() => void answered.push(network)),
    endWaits() {
      for (const resolve of waits.splice(0)) resolve()
    },
  }
}

test('only the responses to a network with many refused requests are delayed, and not more than a thousand', async () => {
  const { refuse, answered, endWaits } = startFloodDelay()

  const pending = Array.from({ length: 1_051 }, () => refuse('192.0.2.1'))
  await nextTick()
  const atOnce = answered.length
  pending.push(refuse('192.0.2.1'), refuse('198.51.100.1'))
  await nextTick()

  assert.equal(atOnce, 51)
  assert.deepEqual(answered.slice(atOnce), ['192.0.2.1', '198.51.100.1'])
  endWaits()
  await Promise.all(pending)
  assert.equal(answered.length, 1_053)
})

test('a network is counted again every second', async () => {
  const { refuse, answered, endWaits, time } = startFloodDelay()

  const pending = Array.from({ length: 51 }, () => refuse('192.0.2.1'))
  time.ms = 999
  pending.push(refuse('192.0.2.1'))
  await nextTick()
  const inFirstSecond = answered.length
  time.ms = 1_000
  await refuse('192.0.2.1')

  assert.equal(inFirstSecond, 50)
  assert.equal(answered.length, 51)
  endWaits()
  await Promise.all(pending)
})
