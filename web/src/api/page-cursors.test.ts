import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addressOf, countRows, newPageCursors, notePage } from './page-cursors.ts'

const rows = (count: number) => Array.from({ length: count })

test('a list grows with every page that is read and ends with the last one', () => {
  const known = newPageCursors()
  const counts = [countRows(known, 100, false)]

  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b' })
  counts.push(countRows(known, 100, false))
  notePage(known, 1, 100, { items: rows(100), next_cursor: 'c' })
  counts.push(countRows(known, 100, false))
  notePage(known, 2, 100, { items: rows(7), next_cursor: null })
  counts.push(countRows(known, 100, true))

  assert.deepEqual(counts, [0, 112, 212, 207])
  assert.deepEqual(
    [...known.cursors],
    [
      [1, 'b'],
      [2, 'c'],
    ],
  )
})

test('a page that was read again moves the pages after it', () => {
  const known = newPageCursors()
  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b' })
  notePage(known, 1, 100, { items: rows(40), next_cursor: null })

  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b2' })
  const afterInsert = countRows(known, 100, false)
  notePage(known, 0, 100, { items: rows(99), next_cursor: null })

  assert.equal(afterInsert, 140)
  assert.deepEqual(known, { cursors: new Map(), rowCount: 99, total: null })
})

test('a list whose last page is full again has more rows to come', () => {
  const known = newPageCursors()
  notePage(known, 0, 100, { items: rows(100), next_cursor: null })

  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b' })

  assert.equal(countRows(known, 100, false), 112)
})

test('a page without a cursor is read by its offset once the rows are counted', () => {
  const known = newPageCursors()
  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b' })
  const beforeCount = addressOf(known, 199, 100)

  known.total = 20_000

  assert.equal(beforeCount, undefined)
  assert.equal(countRows(known, 100, false), 20_000)
  assert.deepEqual(addressOf(known, 1, 100), { cursor: 'b' })
  assert.deepEqual(addressOf(known, 199, 100), { offset: 19_900 })
  assert.equal(addressOf(known, 200, 100), undefined)
})

test('a list that became shorter or longer than it was counted ends with its last row', () => {
  const known = { ...newPageCursors(), total: 20_000 }

  notePage(known, 198, 100, { items: rows(50), next_cursor: null })
  notePage(known, 199, 100, { items: [], next_cursor: null })
  const shorter = countRows(known, 100, false)
  notePage(known, 198, 100, { items: rows(100), next_cursor: 'c' })
  notePage(known, 199, 100, { items: rows(100), next_cursor: 'd' })
  notePage(known, 200, 100, { items: rows(3), next_cursor: null })

  assert.equal(shorter, 19_850)
  assert.equal(countRows(known, 100, false), 20_003)
})
