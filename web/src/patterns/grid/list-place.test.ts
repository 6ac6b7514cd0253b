import assert from 'node:assert/strict'
import { test } from 'node:test'
import { followActiveRow } from './active-row.ts'
import { findNear } from './list-place.ts'

const rowsOf = (ids: string, isPending = false) => {
  const rows = [...ids].map((id) => ({ id }))
  const findIndex = (id: string) => rows.findIndex((row) => row.id === id)
  return {
    name: 'all',
    rowCount: rows.length,
    getRow: (at: number) => rows[at],
    findIndex,
    isRefreshing: false,
    isPending,
  }
}
const start = { index: 2, id: 'c' }
const before = { name: '', index: 0 }

test('a list that is shown again begins with the row that was active, once it is loaded', () => {
  const waiting = followActiveRow(before, rowsOf('', true), start)

  assert.deepEqual(waiting, { name: 'all', ...start })
  assert.deepEqual(followActiveRow(waiting, rowsOf('abcde')), { name: 'all', ...start })
  assert.deepEqual(followActiveRow(waiting, rowsOf('xyabc')), { name: 'all', index: 4, id: 'c' })
})

test('a row that was removed leaves its place to the next one', () => {
  assert.deepEqual(followActiveRow(before, rowsOf('abde'), start), { name: 'all', index: 2, id: 'd' })
  assert.deepEqual(followActiveRow(before, rowsOf('a'), start), { name: 'all', index: 0, id: 'a' })
})

test('the first row in view is found again near its place', () => {
  const { getRow } = rowsOf('abcdefgh')

  assert.deepEqual(
    [findNear('d', 3, getRow), findNear('f', 3, getRow), findNear('a', 3, getRow), findNear('x', 3, getRow)],
    [3, 5, 0, undefined],
  )
})
