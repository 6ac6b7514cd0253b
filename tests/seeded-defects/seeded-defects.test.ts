import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { seedDefect } from './defect.ts'
import { defects } from './defects.ts'
import { describeFailure } from './run-tests.ts'

const root = join(import.meta.dirname, '../..')

test('every seeded defect changes one place of a file, and the file stays valid', () => {
  for (const defect of defects) {
    const text = seedDefect(root, defect)
    if (defect.file.endsWith('.ts')) assert.doesNotThrow(() => stripTypeScriptTypes(text), defect.name)
  }
})

test('at least 25 defects with different names are seeded, and the tests that must detect them exist', () => {
  const missing = defects.flatMap(({ tests }) => tests).filter((file) => !existsSync(join(root, file)))

  assert.ok(new Set(defects.map(({ name }) => name)).size >= 25)
  assert.equal(new Set(defects.map(({ name }) => name)).size, defects.length)
  assert.ok(defects.every(({ tests }) => tests.length > 0))
  assert.deepEqual(missing, [])
})

test('a text that is gone or occurs twice is reported', () => {
  const defect = { name: 'a defect', file: 'package.json', replace: '', tests: [] }

  assert.throws(() => seedDefect(root, { ...defect, find: 'a text that is gone' }), /occurs 0 times in package\.json/)
  assert.throws(() => seedDefect(root, { ...defect, find: '": "' }), /a defect: the text to replace occurs \d\d+ times/)
})

test('a failed test is reported by its name, and a hook or file that failed by its error', () => {
  const ofHook = { name: '/copy/src/app.ts', reason: 'Error: locks out of order\n    at' }
  const ofTest = { name: 'one is one', reason: 'AssertionError' }

  assert.equal(describeFailure([ofHook, ofTest]), 'one is one')
  assert.equal(describeFailure([ofHook]), 'Error: locks out of order')
  assert.equal(describeFailure([]), undefined)
})
