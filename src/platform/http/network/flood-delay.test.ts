import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTick } from 'node:timers/promises'
import { createFloodDelay } from './flood-delay.ts'

test('only the responses to a network with many refused requests are delayed, and not more than a thousand', async () => {
  const delayFlood = createFloodDelay()
  const answered: string[] = []
  const refuse = (network: string) => delayFlood(network).then(() => void answered.push(network))

  const pending = Array.from({ length: 1_051 }, () => refuse('192.0.2.1'))
  await nextTick()
  const atOnce = answered.length
  pending.push(refuse('192.0.2.1'), refuse('198.51.100.1'))
  await nextTick()

  assert.equal(atOnce, 51)
  assert.deepEqual(answered.slice(atOnce), ['192.0.2.1', '198.51.100.1'])
  await Promise.all(pending)
  assert.equal(answered.length, 1_053)
})
