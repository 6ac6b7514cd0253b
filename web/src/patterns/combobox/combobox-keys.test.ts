import assert from 'node:assert/strict'
import { test } from 'node:test'
import { actionOfKey } from './combobox-keys.ts'

const list = { isOpen: true, active: 0, certain: 3, isSettled: true }

test('Enter picks the active choice, and waits while the choices belong to an earlier text', () => {
  assert.deepEqual(actionOfKey('Enter', { ...list, active: 2 }), { kind: 'pick', at: 2 })
  assert.deepEqual(actionOfKey('Enter', { ...list, certain: 0, isSettled: false }), { kind: 'wait' })
  assert.deepEqual(actionOfKey('Enter', { ...list, certain: 0 }), { kind: 'none' })
})

test('choices that need no request are picked before the others have arrived', () => {
  const loading = { ...list, certain: 2, isSettled: false }

  assert.deepEqual(actionOfKey('ArrowDown', loading), { kind: 'move', to: 1 })
  assert.deepEqual(actionOfKey('ArrowDown', { ...loading, active: 1 }), { kind: 'none' })
  assert.deepEqual(actionOfKey('Enter', { ...loading, active: 1 }), { kind: 'pick', at: 1 })
})

test('arrow keys stay between the first and the last choice, and open a closed list', () => {
  assert.deepEqual(actionOfKey('ArrowUp', list), { kind: 'none' })
  assert.deepEqual(actionOfKey('ArrowDown', { ...list, active: 2 }), { kind: 'none' })
  assert.deepEqual(actionOfKey('ArrowDown', { ...list, isOpen: false }), { kind: 'open' })
})

test('a closed list leaves Enter to the form and Escape to the dialog', () => {
  assert.deepEqual(actionOfKey('Escape', list), { kind: 'close' })
  for (const key of ['Enter', 'Escape', 'a', 'Home'])
    assert.equal(actionOfKey(key, { ...list, isOpen: false }), undefined)
})
