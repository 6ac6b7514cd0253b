import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapWithPauses } from './index.ts'

function useProcessor(milliseconds: number): void {
  const start = performance.now()
  while (performance.now() - start < milliseconds);
}

test('other work runs between the items of a long list', async () => {
  let turns = 0
  const timer = setInterval(() => turns++, 1)

  const results = await mapWithPauses([1, 2, 3, 4], (item) => {
    useProcessor(15)
    return item * 2
  })

  clearInterval(timer)
  assert.deepEqual(results, [2, 4, 6, 8])
  assert.ok(turns >= 2, `${turns} turns`)
})

test('an error of an item rejects the whole', async () => {
  const fail = () => {
    throw new Error('no')
  }

  await assert.rejects(mapWithPauses([1], fail), { message: 'no' })
  assert.deepEqual(await mapWithPauses([], fail), [])
})
