import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { groupTestFiles, listTestFiles } from './groups.ts'

test('every test file runs once', () => {
  const files = listTestFiles(join(import.meta.dirname, '../..'))

  const processes = groupTestFiles(files)

  assert.deepEqual(processes.flatMap((process) => process.files).sort(), files)
  assert.ok(processes.every((process) => process.files.length > 0))
})
