import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ActiveRow, followActiveRow, moveRow } from './active-row.ts'

const rowsOf = (ids: string, { name = 'all', first = 0, isRefreshing = false } = {}) => {
  const loaded = [...ids].map((id) => ({ id }))
  const rowCount = first + loaded.length
  const getRow = (index: number) => loaded[index - first]
  const findIndex = (id: string) => {
    const at = loaded.findIndex((row) => row.id === id)
    return at < 0 ? -1 : first + at
  }
  return { name, rowCount, getRow, findIndex, isRefreshing }
}
const active: ActiveRow = { name: 'all', index: 1, id: 'b' }

test('the active row is the same one after rows were inserted before it', () => {
  assert.deepEqual(followActiveRow(active, rowsOf('xyabc')), { name: 'all', index: 3, id: 'b' })
})

test('the row after a removed one becomes active, and the last one at the end', () => {
  assert.deepEqual(followActiveRow(active, rowsOf('acd')), { name: 'all', index: 1, id: 'c' })
  assert.deepEqual(followActiveRow(active, rowsOf('a')), { name: 'all', index: 0, id: 'a' })
  assert.deepEqual(followActiveRow(active, rowsOf('')), { name: 'all', index: 0, id: 'b' })
})

test('an active row whose page is not loaded is found again after its page was read', () => {
  const away = followActiveRow(active, rowsOf('xyz', { first: 500 }))

  assert.equal(away, active)
  assert.deepEqual(followActiveRow(away, rowsOf('xab')), { name: 'all', index: 2, id: 'b' })
})

test('other filters begin with their first row, not with a row of the filters before', () => {
  const waiting = followActiveRow(active, rowsOf('abc', { name: 'new', isRefreshing: true }))

  assert.deepEqual(waiting, { name: 'new', index: 0 })
  assert.equal(followActiveRow(waiting, rowsOf('abc', { name: 'new', isRefreshing: true })), waiting)
  assert.deepEqual(followActiveRow(waiting, rowsOf('cab', { name: 'new' })), { name: 'new', index: 0, id: 'c' })
})

test('keys move the active row inside the list', () => {
  const list = { rowCount: 50, viewRows: 12 }
  const moves = ['next', 'previous', 'pageDown', 'pageUp', 'first', 'last'] as const

  assert.deepEqual(
    moves.map((move) => moveRow(45, move, list)),
    [46, 44, 49, 33, 0, 49],
  )
  assert.equal(moveRow(0, 'last', { rowCount: 0, viewRows: 12 }), 0)
})
