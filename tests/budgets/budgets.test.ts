import assert from 'node:assert/strict'
import { existsSync, globSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import {
  formatSeconds,
  listExceededBudgets,
  listExceededTotal,
  listLongFiles,
  listSlowParts,
  readBudgets,
} from './budgets.ts'

const root = join(import.meta.dirname, '../..')
const none = { files: 0, applications: 0, databases: 0, requests: 0, statements: 0, rows: 0, seconds: 0 }
const usage = (file: string, counts: object = {}) => ({
  ...none,
  node: 0,
  postgres: 0,
  browser: 0,
  other: 0,
  file,
  ...counts,
})
const budgets = {
  processes: 2,
  referenceSeconds: 0.02,
  startSeconds: 2,
  totalSeconds: 20,
  walk: { read: 1, write: 1 },
  parts: {
    'src/modules/crm/': { ...none, files: 2, databases: 3, seconds: 10 },
    'src/modules/crm/leads/': { ...none, files: 1, databases: 1 },
  },
  longFiles: {},
}

test('a part within its budget is not reported', () => {
  const usages = [
    usage('process', { node: 2, rows: 9 }),
    usage('src/modules/crm/a.test.ts', { databases: 3 }),
    usage('src/modules/crm/leads/b.test.ts'),
  ]

  assert.deepEqual(listExceededBudgets(budgets, usages, 2), [])
})

test('a part beyond its budget is reported with the files that use most', () => {
  const usages = [
    usage('src/modules/crm/a.test.ts', { databases: 1 }),
    usage('src/modules/crm/b.test.ts', { databases: 3 }),
  ]

  const [message] = listExceededBudgets(budgets, usages, 2)

  assert.match(
    message!,
    /^src\/modules\/crm\/ uses 4 databases, its budget is 3\. Most: src\/modules\/crm\/b\.test\.ts \(3\)/,
  )
})

test('files of a new module need a line of their own', () => {
  const messages = listExceededBudgets(budgets, [usage('src/modules/surveys/a.test.ts')], 2)

  assert.deepEqual(messages, ['src/modules/surveys/ has no budget. Add a line for it to tests/budgets.json.'])
})

test('more processes than planned are reported', () => {
  assert.match(listExceededBudgets(budgets, [], 3)[0]!, /3 test processes, its budget is 2/)
})

test('processor time is compared in units of the reference work of the same run', () => {
  const crm = usage('src/modules/crm/a.test.ts', { node: 30 })

  assert.equal(listSlowParts(budgets, [usage('reference', { node: 0.02 }), crm]).length, 1)
  assert.deepEqual(listSlowParts(budgets, [usage('reference', { node: 0.06 }), crm]), [])
})

test('a run that takes a sixth more than planned at the speed of the machine exceeds its budget', () => {
  const crm = usage('src/modules/crm/a.test.ts', { node: 10, browser: 9, other: 3 })

  assert.match(
    listExceededTotal(budgets, [usage('reference', { node: 0.02 }), usage('process', { node: 2 }), crm])[0]!,
    /took 24 s of processor time, at most 23 s/,
  )
  assert.deepEqual(listExceededTotal(budgets, [usage('reference', { node: 0.03 }), crm]), [])
})

test('a file that takes more than six seconds needs a reason', () => {
  const usages = ['long', 'known', 'short'].map((name) =>
    usage(`src/modules/crm/${name}.test.ts`, { node: name === 'short' ? 5 : 9 }),
  )
  const known = { ...budgets, longFiles: { 'src/modules/crm/known.test.ts': 'imports many files' } }

  assert.deepEqual(listLongFiles(known, usages), ['src/modules/crm/long.test.ts took 9 s of processor time.'])
})

test('the seconds of each part are printed beside the usual ones', () => {
  const crm = usage('src/modules/crm/a.test.ts', { node: 12, browser: 9 })

  const lines = formatSeconds(budgets, [usage('reference', { node: 0.04 }), usage('process', { node: 4 }), crm]).split(
    '\n',
  )

  assert.ok(lines.includes('      21      20  src/modules/crm/'), lines.join('\n'))
  assert.ok(lines.includes('      25      40  sum'), lines.join('\n'))
})

test('every part of the budget has test files', () => {
  for (const part of Object.keys(readBudgets(root).parts))
    assert.ok(globSync(`${part}**/*.test.ts`, { cwd: root }).length > 0, `${part} has no test files`)
})

test('every long file exists and has a reason', () => {
  for (const [file, reason] of Object.entries(readBudgets(root).longFiles)) {
    assert.ok(existsSync(join(root, file)), `${file} does not exist`)
    assert.ok(reason.length > 10, `${file} has no reason`)
  }
})
