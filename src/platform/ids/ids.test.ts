import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createdAtOf, minIdAt, newId, newRandomId } from './index.ts'

test('ids sort by their time of creation', () => {
  const instant = new Date('2026-05-04T10:00:00.123Z')
  assert.deepEqual(createdAtOf(minIdAt(instant)), instant)
  const ids = Array.from({ length: 100 }, newId)
  assert.deepEqual(ids.toSorted(), ids)
  for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-7[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
})

test('random ids have version 4, and neither their order nor their parts repeat', () => {
  const ids = Array.from({ length: 100 }, newRandomId)
  for (const id of ids) assert.match(id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  assert.notDeepEqual(ids.toSorted(), ids)
  assert.equal(new Set(ids.map((id) => id.slice(0, 8))).size, 100)
})
