import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maxReadPages, mergePageSeconds, type PageSeconds } from './page-seconds.rules.ts'

test('pages grow to the reported seconds and never shrink', () => {
  const first = mergePageSeconds(null, [{ page: 1, seconds: 10 }], 10)
  const second = mergePageSeconds(
    first,
    [
      { page: 1, seconds: 4 },
      { page: 2, seconds: 5 },
    ],
    15,
  )

  assert.deepEqual([first, second], [{ 1: 10 }, { 1: 10, 2: 5 }])
  assert.equal(mergePageSeconds(null, [{ page: 1, seconds: 0 }], 10), null)
})

test('the pages of a view have at most 500 entries and never more seconds than the view', () => {
  const heartbeat = fc.record({
    active: fc.integer({ min: 0, max: 300 }),
    pages: fc.array(
      fc.record({ page: fc.integer({ min: 1, max: 1_000 }), seconds: fc.integer({ min: 0, max: 2_000 }) }),
      { maxLength: 50 },
    ),
  })
  fc.assert(
    fc.property(fc.array(heartbeat, { maxLength: 20 }), (heartbeats) => {
      let [stored, total]: [PageSeconds | null, number] = [null, 0]
      for (const { active, pages } of heartbeats) {
        total += active
        stored = mergePageSeconds(stored, pages, total)
        assert.ok(Object.values(stored ?? {}).reduce((sum, seconds) => sum + seconds, 0) <= total)
      }
    }),
  )
  const all = Array.from({ length: maxReadPages + 1 }, (_, n) => ({ page: n + 1, seconds: 1 }))
  assert.equal(Object.keys(mergePageSeconds(null, all, 1_000)!).length, maxReadPages)
})
