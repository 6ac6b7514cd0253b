import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findValidScenarioOutcomes } from '../scenarios/run-scenario-tests.ts'
import { calculateCodeHash } from './code-hash.ts'
import { emptyOutcomes, findValidOutcomes, readOutcomes, saveOutcomes } from './outcomes.ts'

const reporter = join(import.meta.dirname, 'reporter.ts')
const scenarioTest = { id: 'crm-1-1', file: 'lead.test.ts' }

function createFolder(): string {
  const root = mkdtempSync(join(tmpdir(), 'tributary-outcomes-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  return root
}

/** Creates a repository with one scenario test. */
function createRepository(body = '') {
  const repository = openRepository(createFolder())
  const { write, git } = repository
  write('.gitignore', '/tmp/\n/node_modules/\n')
  write('lead.mjs', 'export const isThere = true\n')
  const kill = `if (process.env.KILL_RUNNER) process.kill(process.ppid, 'SIGKILL')`
  write('lead.test.ts', `import { test } from 'node:test'\n${kill}\ntest('crm-1-1 a lead', () => {${body}})\n`)
  git('init', '-q')
  git('add', '.')
  return repository
}

function openRepository(root: string) {
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  const git = (...flags: string[]) => execFileSync('git', ['-C', root, ...flags])
  /** Runs the tests like `npm test`. */
  const runTests = (...flags: string[]) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const to = ['--test-reporter', reporter, '--test-reporter-destination', 'stdout']
    return spawnSync(process.execPath, ['--test', ...to, ...flags, 'lead.test.ts'], { cwd: root, env })
  }
  return { root, write, git, runTests }
}

const tested = createRepository()
tested.runTests()

/** Copies the repository whose tests have run, because a run takes much longer than a copy. */
function copyTestedRepository() {
  const root = createFolder()
  cpSync(tested.root, root, { recursive: true })
  return openRepository(root)
}

test('saved outcomes are valid while the code is unchanged', () => {
  const { root, git } = copyTestedRepository()

  const valid = findValidOutcomes(root)
  git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', 'The same files')

  assert.deepEqual(valid?.tests, [{ name: 'crm-1-1 a lead', file: 'lead.test.ts', hasPassed: true, reason: '' }])
  assert.deepEqual(
    valid?.files.map(({ file }) => file),
    ['lead.test.ts'],
  )
  assert.equal(findValidScenarioOutcomes([scenarioTest], root)?.length, 1)
})

for (const [event, change] of Object.entries<(repository: ReturnType<typeof createRepository>) => void>({
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
  'an aborted run of the same code': ({ runTests }) => {
    process.env.KILL_RUNNER = 'yes'
    assert.equal(runTests().signal, 'SIGKILL')
    delete process.env.KILL_RUNNER
  },
}))
  test(`after ${event} the saved outcomes are not valid`, () => {
    const repository = copyTestedRepository()
    assert.ok(findValidOutcomes(repository.root), 'not valid before the change')

    change(repository)

    assert.equal(findValidOutcomes(repository.root), undefined)
    assert.equal(findValidScenarioOutcomes([scenarioTest], repository.root), undefined)
  })

test('outcomes are not saved if the code changes during the run', () => {
  const { root, runTests } = createRepository(`process.getBuiltinModule('fs').writeFileSync('lead.mjs', '')`)

  runTests()

  assert.equal(findValidOutcomes(root), undefined)
})

test('outcomes with a failed test are not valid', () => {
  const { root, runTests } = createRepository(`throw new Error('no')`)

  runTests()

  assert.deepEqual(
    readOutcomes(root)?.tests.map(({ hasPassed, reason }) => [hasPassed, reason]),
    [[false, 'Error: no']],
  )
  assert.equal(findValidOutcomes(root), undefined)
})

test('scenario outcomes are valid if every scenario test was run', () => {
  const { root } = copyTestedRepository()
  const skipping = createRepository()

  skipping.runTests('--test-name-pattern=other')

  assert.ok(findValidOutcomes(skipping.root))
  assert.equal(findValidScenarioOutcomes([scenarioTest], skipping.root), undefined)
  assert.equal(findValidScenarioOutcomes([scenarioTest], root)?.length, 1)
  assert.equal(findValidScenarioOutcomes([scenarioTest, { ...scenarioTest, id: 'crm-1-2' }], root), undefined)
  assert.equal(findValidScenarioOutcomes([scenarioTest, scenarioTest], root), undefined)
})

test('outside a repository no outcomes are saved', () => {
  const root = createFolder()

  saveOutcomes(root, calculateCodeHash(root), emptyOutcomes())

  assert.equal(findValidOutcomes(root), undefined)
})
