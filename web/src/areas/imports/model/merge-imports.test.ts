import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeImports } from './merge-imports.ts'

const at = (...days: number[]) =>
  days.map((day) => ({ id: `i${day}`, created_at: `2026-03-${String(day).padStart(2, '0')}T10:00:00.000Z` }))
const idsOf = (...lists: Parameters<typeof mergeImports>[0]) => mergeImports(lists).map(({ id }) => id)

test('imports of both kinds are in one order, newest first', () => {
  const [leads, contacts] = [at(9, 4, 1), at(8, 5)]

  assert.deepEqual(idsOf({ items: leads, hasMore: false }, { items: contacts, hasMore: false }), [
    'i9',
    'i8',
    'i5',
    'i4',
    'i1',
  ])
})

test('rows wait for those of the other list that are not loaded yet', () => {
  const [leads, contacts] = [at(9, 7), at(8, 5, 2)]

  assert.deepEqual(idsOf({ items: leads, hasMore: true }, { items: contacts, hasMore: false }), ['i9', 'i8', 'i7'])
  assert.deepEqual(idsOf({ items: leads, hasMore: true }, { items: contacts, hasMore: true }), ['i9', 'i8', 'i7'])
  assert.deepEqual(idsOf({ items: [], hasMore: false }, { items: contacts, hasMore: true }), ['i8', 'i5', 'i2'])
})
