import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCommonUrl, findTestsOfChanges, takeWithinSeconds } from './changed-files.ts'

const imports: Record<string, string[]> = {
  'src/leads/leads.queries.ts': [],
  'src/leads/leads.service.ts': ['src/leads/leads.queries.ts'],
  'src/leads/leads.test.ts': [],
  'src/leads/notes/notes.test.ts': [],
  'src/merge/merge.service.ts': ['src/leads/leads.queries.ts'],
  'src/merge/merge.test.ts': [],
  'src/teams/teams.test.ts': [],
}
const sources = { files: Object.keys(imports), importsOf: (file: string) => imports[file]! }

test('a change selects the tests of its folder before those of the folders that import it', () => {
  const found = findTestsOfChanges({ ...sources, changed: ['src/leads/leads.queries.ts'] })

  assert.deepEqual(found, ['src/leads/leads.test.ts', 'src/merge/merge.test.ts'])
})

test('a changed test file comes first, and a deleted one is not selected', () => {
  const changed = ['src/leads/leads.service.ts', 'src/merge/merge.test.ts', 'src/gone/gone.test.ts']

  assert.deepEqual(findTestsOfChanges({ ...sources, changed }), ['src/merge/merge.test.ts', 'src/leads/leads.test.ts'])
})

test('the routes of a file are those below the start that their URLs have in common', () => {
  assert.equal(findCommonUrl("url: '/api/leads/:id/notes', url: '/api/leads/'"), '/api/leads/')
  assert.equal(findCommonUrl('const url = 1'), undefined)
})

test('files that do not fit into the time are left out', () => {
  const seconds: Record<string, number> = { a: 20, b: 30, c: 5 }

  assert.deepEqual(
    takeWithinSeconds(['a', 'b', 'c'], (file) => seconds[file]!, 40),
    ['a', 'c'],
  )
})
