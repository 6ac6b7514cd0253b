import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { groupTestFiles, listTestFiles, listUnsavedFiles } from './groups.ts'

test('every test file runs once', () => {
  const files = listTestFiles(join(import.meta.dirname, '../..'))

  const processes = groupTestFiles(files)

  assert.deepEqual(processes.flatMap((process) => process.files).sort(), files)
  assert.ok(processes.every((process) => process.files.length > 0))
})

test('a long file whose duration is not saved is reported', () => {
  const files = [
    { file: 'a.test.ts', seconds: 30 },
    { file: 'b.test.ts', seconds: 30 },
    { file: 'c.test.ts', seconds: 2 },
  ]

  assert.deepEqual(listUnsavedFiles(files, { 'a.test.ts': 12 }), [
    'b.test.ts took 30 s. Run npm run slowest -- --save.',
  ])
})
