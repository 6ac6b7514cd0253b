import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectExtensions, defineExtensionPoint, extend } from './extension-points.ts'

test('a point has the contributions of all modules, in order', () => {
  const colors = defineExtensionPoint<string>('colors')
  const sizes = defineExtensionPoint<number>('sizes')

  const itemsOf = collectExtensions([extend(colors, ['red']), extend(sizes, [1, 2]), extend(colors, ['blue'])])

  assert.deepEqual(itemsOf(colors), ['red', 'blue'])
  assert.deepEqual(itemsOf(sizes), [1, 2])
})

test('a point without contributions is empty, and points of the same name are separate', () => {
  const itemsOf = collectExtensions([extend(defineExtensionPoint<string>('colors'), ['red'])])

  assert.deepEqual(itemsOf(defineExtensionPoint<string>('colors')), [])
})
