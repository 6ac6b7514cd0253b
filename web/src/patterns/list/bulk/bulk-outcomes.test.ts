import assert from 'node:assert/strict'
import { test } from 'node:test'
import { canUndoTask, describeUndo } from './bulk-outcomes.ts'

const startedAt = Date.parse('2026-05-04T08:00:00Z')
const statusWith = (changes: object) =>
  ({
    kind: 'leads.bulk',
    created_at: new Date(startedAt).toISOString(),
    finished_at: new Date(startedAt + 60_000).toISOString(),
    result: { action: 'delete', succeeded: 300 },
    ...changes,
  }) as Parameters<typeof canUndoTask>[0]

test('a bulk action that changed leads can be undone for 24 hours', () => {
  const hours = (count: number) => startedAt + count * 3_600_000
  const canUndo = (changes: object, now = hours(1)) => canUndoTask(statusWith(changes), now)

  assert.equal(canUndo({}), true)
  assert.equal(canUndo({}, hours(24)), false)
  assert.equal(canUndo({ finished_at: null }), false)
  assert.equal(canUndo({ kind: 'leads.bulk_undo' }), false)
  assert.equal(canUndo({ result: { action: 'delete', succeeded: 0 } }), false)
  assert.equal(canUndo({ result: { action: 'recompute', succeeded: 300 } }), false)
  assert.equal(canUndo({ result: null }), false)
  assert.equal(canUndo({ kind: 'contacts.bulk', result: { action: 'add_tags', succeeded: 300 } }), true)
  assert.equal(canUndo({ kind: 'contacts.bulk', result: { action: 'opt_out', succeeded: 300 } }), false)
  assert.equal(canUndoTask(undefined, hours(1)), false)
})

test('an undo says how many leads it restored and skipped', () => {
  const describe = (result: unknown) => describeUndo({ kind: 'leads.bulk_undo', result }, 'en-US')

  assert.equal(describe({ restored: 19_998, skipped: 0 }), '19,998 leads restored.')
  assert.match(describe({ restored: 1, skipped: 2 }) ?? '', /^1 lead restored\. 2 leads were skipped because/)
  assert.equal(describe({ failed: 3 }), undefined)
  assert.equal(describe(null), undefined)
})
