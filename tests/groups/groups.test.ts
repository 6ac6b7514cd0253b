import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { groupTestFiles, listTestFiles } from './groups.ts'

test('every test file runs once', () => {
  const files = listTestFiles(join(import.meta.dirname, '../..'))

  const { shared, alone } = groupTestFiles(files)

  assert.deepEqual([...shared.flat(), ...alone].sort(), files)
  assert.ok(shared.every((group) => group.length > 0))
})
