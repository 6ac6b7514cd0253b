import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countSlots, maxRows, moveWindow, revealRow, slotRows, visibleRows, windowRows } from './row-window.ts'

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

test('scrolling changes only the elements whose rows left the list', () => {
  const slots = countSlots(viewHeight, rowHeight)
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 10_000 }),
      fc.integer({ min: -400, max: 400 }),
      fc.integer({ min: 1, max: 500 }),
      (scrollTop, by, rowCount) => {
        const rowsAt = (position: number) => {
          const height = rowCount * rowHeight - viewHeight
          const current = { base: 0, scrollTop: Math.max(0, Math.min(height, position)) }
          const { first, end } = visibleRows(current, { rowHeight, rowCount, viewHeight })
          return {
            visible: Array.from({ length: end - first }, (_, at) => first + at),
            slots: slotRows({ first, end, slots }),
          }
        }
        const before = rowsAt(scrollTop)
        const after = rowsAt(scrollTop + by)

        assert.deepEqual(
          after.slots.filter((index) => index !== undefined).toSorted((a, b) => a - b),
          after.visible,
        )
        for (const [slot, index] of before.slots.entries())
          if (index !== undefined && after.visible.includes(index)) assert.equal(after.slots[slot], index)
      },
    ),
  )
})
