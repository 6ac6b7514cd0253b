import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countRows, newPageCursors, notePage } from './page-cursors.ts'

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
  assert.deepEqual(known.cursors, [undefined, 'b', 'c'])
})

test('a page that was read again moves the pages after it', () => {
  const known = newPageCursors()
  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b' })
  notePage(known, 1, 100, { items: rows(40), next_cursor: null })

  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b2' })
  const afterInsert = countRows(known, 100, false)
  notePage(known, 0, 100, { items: rows(99), next_cursor: null })

  assert.equal(afterInsert, 140)
  assert.deepEqual(known, { cursors: [undefined], rowCount: 99 })
})

test('a list whose last page is full again has more rows to come', () => {
  const known = newPageCursors()
  notePage(known, 0, 100, { items: rows(100), next_cursor: null })

  notePage(known, 0, 100, { items: rows(100), next_cursor: 'b' })

  assert.equal(countRows(known, 100, false), 112)
})
