import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findValidScenarioOutcomes } from '../scenarios/run-scenario-tests.ts'
import { emptyOutcomes, findValidOutcomes, type Outcomes, readOutcomes, recordOutcomes } from './outcomes.ts'

const scenarioTest = { id: 'crm-1-1', file: 'lead.test.ts' }
const passed = { name: 'crm-1-1 a lead', file: 'lead.test.ts', hasPassed: true, reason: '' }
const outcomes = (...tests: Outcomes['tests']): Outcomes => ({ ...emptyOutcomes(), tests })

function createFolder() {
  const root = mkdtempSync(join(tmpdir(), 'tributary-outcomes-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  return { root, write, runTests: (run = async () => outcomes(passed)) => recordOutcomes(root, run) }
}

function createRepository() {
  const folder = createFolder()
  folder.write('.gitignore', '/tmp/\n/node_modules/\n')
  folder.write('lead.mjs', 'export const isThere = true\n')
  const git = (...flags: string[]) => execFileSync('git', ['-C', folder.root, ...flags])
  git('init', '-q')
  git('add', '.')
  return { ...folder, git }
}

test('saved outcomes are valid while the code is unchanged', async () => {
  const { root, runTests, git } = createRepository()

  await runTests()
  git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', 'The same files')

  assert.deepEqual(findValidOutcomes(root)?.tests, [passed])
  assert.equal(findValidScenarioOutcomes([scenarioTest], root)?.length, 1)
})

for (const [event, change] of Object.entries<(repository: ReturnType<typeof createRepository>) => unknown>({
  'a changed file': ({ write }) => write('lead.mjs', 'export const isThere = false\n'),
  'a staged change': ({ write, git }) => {
    write('lead.mjs', 'export const isThere = false\n')
    git('add', '.')
  },
  'a new file': ({ write }) => write('more.mjs', ''),
  'a deleted file': ({ root }) => rmSync(join(root, 'lead.mjs')),
  'a change of installed packages': ({ root, write }) => {
    mkdirSync(join(root, 'node_modules'))
    write('node_modules/.package-lock.json', '{}')
  },
  'a truncated report': ({ write }) => write('tmp/test-outcomes.json', '{"codeHash":'),
  'a report without a code hash': ({ write }) => write('tmp/test-outcomes.json', '{"tests":[]}'),
  'an aborted run of the same code': ({ runTests }) =>
    assert.rejects(runTests(() => Promise.reject(new Error('aborted')))),
  'a run of the same code that has not ended': ({ runTests }) => void runTests(() => new Promise(() => {})),
}))
  test(`after ${event} the saved outcomes are not valid`, async () => {
    const repository = createRepository()
    await repository.runTests()
    assert.ok(findValidOutcomes(repository.root), 'not valid before the change')

    await change(repository)

    assert.equal(findValidOutcomes(repository.root), undefined)
    assert.equal(findValidScenarioOutcomes([scenarioTest], repository.root), undefined)
  })

test('outcomes are not saved if the code changes during the run', async () => {
  const { root, write, runTests } = createRepository()

  await runTests(async () => {
    write('lead.mjs', '')
    return outcomes(passed)
  })

  assert.equal(findValidOutcomes(root), undefined)
})

test('outcomes with a failed test are not valid', async () => {
  const { root, runTests } = createRepository()

  await runTests(async () => outcomes({ ...passed, hasPassed: false, reason: 'Error: no' }))

  assert.equal(readOutcomes(root)?.tests.length, 1)
  assert.equal(findValidOutcomes(root), undefined)
})

test('scenario outcomes are valid if every scenario test was run', async () => {
  const { root, runTests } = createRepository()

  await runTests(async () => outcomes({ ...passed, name: 'another test' }))
  const missing = findValidScenarioOutcomes([scenarioTest], root)
  await runTests()

  assert.equal(missing, undefined)
  assert.equal(findValidScenarioOutcomes([scenarioTest], root)?.length, 1)
  assert.equal(findValidScenarioOutcomes([scenarioTest, { ...scenarioTest, id: 'crm-1-2' }], root), undefined)
  assert.equal(findValidScenarioOutcomes([scenarioTest, scenarioTest], root), undefined)
})

test('outside a repository no outcomes are saved', async () => {
  const { root, runTests } = createFolder()

  await runTests()

  assert.equal(findValidOutcomes(root), undefined)
})

test('a process reports passed, failed and skipped tests with their file', () => {
  const { root, write } = createFolder()
  const body = `test('one', () => {})\ntest('two', () => { throw new Error('no') })\ntest('three', { skip: true }, () => {})\n`
  write('lead.test.ts', `import { test } from 'node:test'\n${body}`)
  const reporter = join(import.meta.dirname, '../groups/process-reporter.ts')
  const flags = [`--test-reporter=${reporter}`, '--test-reporter-destination=stdout', 'lead.test.ts']
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  env.TEST_OUTCOMES_FILE = join(root, 'outcomes.json')

  spawnSync(process.execPath, flags, { cwd: root, env })

  assert.deepEqual(JSON.parse(readFileSync(env.TEST_OUTCOMES_FILE, 'utf8')).tests, [
    { name: 'one', file: 'lead.test.ts', hasPassed: true, reason: '' },
    { name: 'two', file: 'lead.test.ts', hasPassed: false, reason: 'Error: no' },
    { name: 'three', file: 'lead.test.ts', hasPassed: false, reason: 'skipped' },
  ])
})
