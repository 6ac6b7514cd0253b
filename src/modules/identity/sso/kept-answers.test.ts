import assert from 'node:assert/strict'
import { test } from 'node:test'
import { movableClock } from '#testing'
import { keepAnswers } from './kept-answers.ts'

/** Something to fetch that tells how often it was, and can be broken. */
function source() {
  const clock = movableClock()
  const world = { fetched: 0, isBroken: false }
  const answers = keepAnswers(clock, async () => {
    world.fetched++
    if (world.isBroken) throw new Error('broken')
    return world.fetched
  })
  return { clock, world, answers }
}

test('what was fetched is good for an hour, and everybody shares it', async () => {
  const { clock, answers } = source()

  assert.deepEqual(await Promise.all([1, 2, 3].map(() => answers.get('a'))), [1, 1, 1])
  clock.advance(3_599)
  assert.equal(await answers.get('a'), 1)
  clock.advance(2)
  assert.equal(await answers.get('a'), 2)
})

test('it is asked for anew once a minute, however many want it', async () => {
  const { clock, answers } = source()
  await answers.get('a')

  assert.equal(await answers.getAnew('a'), 1)
  clock.advance(61)
  assert.deepEqual(await Promise.all([1, 2, 3].map(() => answers.getAnew('a'))), [2, 2, 2])
  assert.equal(await answers.getAnew('a'), 2)
})

test('a failure is not kept, and does not cost what was there', async () => {
  const { clock, world, answers } = source()
  world.isBroken = true
  await assert.rejects(answers.get('a'))
  world.isBroken = false
  assert.equal(await answers.get('a'), 2)

  clock.advance(61)
  world.isBroken = true
  await assert.rejects(answers.getAnew('a'))
  assert.equal(await answers.get('a'), 2)
  assert.equal(await answers.getAnew('a'), 2, 'and the broken source is left alone for a minute')
  assert.equal(world.fetched, 3)
})

test('it does not grow without end', async () => {
  const { world, answers } = source()
  for (let turn = 0; turn <= 1_000; turn++) await answers.get(String(turn))

  await answers.get('1000')
  assert.equal(world.fetched, 1_001)
  await answers.get('0')
  assert.equal(world.fetched, 1_002)
})
