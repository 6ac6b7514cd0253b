import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as soon } from 'node:timers/promises'
import { AppError } from '#platform/errors'
import { takingTurns } from './turns.ts'

const atOnce = 4
const inLine = 20
const inTurn = takingTurns({ atOnce, inLine })

test('so many work at once, so many wait, and whoever comes then is asked to come back', async () => {
  let running = 0
  let most = 0
  const finish: (() => void)[] = []
  const work = async () => {
    most = Math.max(most, ++running)
    await new Promise<void>((resolve) => finish.push(resolve))
    running--
  }
  const all = Array.from({ length: atOnce + inLine }, () => inTurn(work))

  const refused = await inTurn(work).catch((error: unknown) => error)
  for (let done = 0; done < all.length; ) {
    await soon()
    done += finish.splice(0).map((end) => end()).length
  }
  await Promise.all(all)

  assert.ok(refused instanceof AppError)
  assert.equal(refused.status, 429)
  assert.ok(Number(refused.headers['retry-after']) > 0)
  assert.equal(most, atOnce)
})

test('whoever fails makes room for the next', async () => {
  const failing = Array.from({ length: atOnce * 3 }, () => inTurn(() => Promise.reject(new Error('no'))))

  const outcomes = await Promise.allSettled(failing)
  const next = await inTurn(async () => 'done')

  assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  assert.equal(next, 'done')
})
