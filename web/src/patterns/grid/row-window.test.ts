import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { maxRows, moveWindow, revealRow, visibleRows, windowRows } from './row-window.ts'

const rowHeight = 40
const viewHeight = 800

test('every row of a million is reached by scrolling down, without a gap', () => {
  const rowCount = 1_000_000
  let current = { base: 0, scrollTop: 0 }
  let reached = 0
  while (reached < rowCount) {
    const { first, end } = visibleRows(current, { rowHeight, rowCount, viewHeight })
    assert.ok(first <= reached, `rows ${reached} to ${first} are missing`)
    if (end === reached) break
    reached = end
    current = moveWindow(
      { ...current, scrollTop: (end - current.base) * rowHeight - viewHeight },
      { rowHeight, rowCount },
    )
  }

  assert.equal(reached, rowCount)
})

test('moving the window keeps the rows in view', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 2_000_000 }),
      fc.integer({ min: 0, max: 20 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (rowCount, steps, share) => {
        const base = Math.min(steps * 100_000, Math.max(0, rowCount - 1))
        const rows = windowRows({ base }, { rowCount })
        const scrollTop = share * Math.max(0, rows * rowHeight - viewHeight)

        const moved = moveWindow({ base, scrollTop }, { rowHeight, rowCount })

        assert.ok(Math.abs(moved.base * rowHeight + moved.scrollTop - (base * rowHeight + scrollTop)) < 0.001)
        assert.ok(moved.base >= 0 && moved.scrollTop >= 0)
        assert.ok(windowRows(moved, { rowCount }) <= maxRows)
      },
    ),
  )
})

test('a revealed row is in view', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 1_500_000 }), fc.integer({ min: 0, max: 1_500_000 }), (from, to) => {
      const start = revealRow({ base: 0, scrollTop: 0 }, from, { rowHeight, viewHeight })
      const shown = revealRow(start, to, { rowHeight, viewHeight })

      const { first, end } = visibleRows(shown, { rowHeight, rowCount: 2_000_000, viewHeight })
      assert.ok(first <= to && to < end)
    }),
  )
})
