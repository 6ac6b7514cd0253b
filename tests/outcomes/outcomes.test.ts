import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { knownClaims } from '../scenarios/run-claims.ts'
import { keepOutcomes, knownOutcomes, nothing, readOutcomes } from './outcomes.ts'
import { stampOf } from './stamp.ts'

const reporter = join(import.meta.dirname, 'reporter.ts')
const claim = { id: 'crm-1-1', file: 'lead.test.ts' }

/** A repository with one test, which claims a scenario. */
function makeRepository(body = '') {
  const root = mkdtempSync(join(tmpdir(), 'tributary-outcomes-'))
  after(() => rmSync(root, { recursive: true, force: true }))
  const write = (path: string, text: string) => writeFileSync(join(root, path), text)
  write('.gitignore', '/tmp/\n')
  write('lead.mjs', 'export const isThere = true\n')
  const kill = `if (process.env.KILL_RUNNER) process.kill(process.ppid, 'SIGKILL')`
  write('lead.test.ts', `import { test } from 'node:test'\n${kill}\ntest('crm-1-1 a lead', () => {${body}})\n`)
  const git = (...flags: string[]) => execFileSync('git', ['-C', root, ...flags])
  git('init', '-q')
  git('add', '.')
  /** As `npm test` does. */
  const runTests = (...flags: string[]) => {
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const to = ['--test-reporter', reporter, '--test-reporter-destination', 'stdout']
    return spawnSync(process.execPath, ['--test', ...to, ...flags, 'lead.test.ts'], { cwd: root, env })
  }
  return { root, write, git, runTests }
}

test('what was tested is known as long as nothing has changed', () => {
  const { root, runTests, git } = makeRepository()

  runTests()
  const known = knownOutcomes(root)
  git('-c', 'user.name=a', '-c', 'user.email=a@b.example', 'commit', '-qm', 'The same files')

  assert.deepEqual(known?.tests, [{ name: 'crm-1-1 a lead', file: 'lead.test.ts', hasPassed: true, why: '' }])
  assert.deepEqual(
    known?.files.map(({ file }) => file),
    ['lead.test.ts'],
  )
  assert.equal(knownClaims([claim], root)?.length, 1)
})

for (const [what, change] of Object.entries<(repository: ReturnType<typeof makeRepository>) => void>({
  'a changed file': ({ write }) => write('lead.mjs', 'export const isThere = false\n'),
  'a changed file that was added': ({ write, git }) => {
    write('lead.mjs', 'export const isThere = false\n')
    git('add', '.')
  },
  'a new file': ({ write }) => write('more.mjs', ''),
  'a file that is gone': ({ root }) => rmSync(join(root, 'lead.mjs')),
  'other packages': ({ root, write }) => {
    mkdirSync(join(root, 'node_modules'))
    write('node_modules/.package-lock.json', '{}')
  },
  'a report cut short': ({ write }) => write('tmp/test-outcomes.json', '{"stamp":'),
  'a report without a stamp': ({ write }) => write('tmp/test-outcomes.json', '{"tests":[]}'),
  'a run of the same code that did not end': ({ runTests }) => {
    process.env.KILL_RUNNER = 'yes'
    assert.equal(runTests().signal, 'SIGKILL')
    delete process.env.KILL_RUNNER
  },
}))
  test(`after ${what} the last tests count no more`, () => {
    const repository = makeRepository()
    repository.write('.gitignore', '/tmp/\n/node_modules/\n')
    repository.runTests()
    assert.ok(knownOutcomes(repository.root), 'it is known before')

    change(repository)

    assert.equal(knownOutcomes(repository.root), undefined)
    assert.equal(knownClaims([claim], repository.root), undefined)
  })

test('tests during which the code changes are not kept', () => {
  const { root, runTests } = makeRepository(`process.getBuiltinModule('fs').writeFileSync('lead.mjs', '')`)

  runTests()

  assert.equal(knownOutcomes(root), undefined)
})

test('tests of which one failed count for nothing', () => {
  const { root, runTests } = makeRepository(`throw new Error('no')`)

  runTests()

  assert.deepEqual(
    readOutcomes(root)?.tests.map(({ hasPassed, why }) => [hasPassed, why]),
    [[false, 'Error: no']],
  )
  assert.equal(knownOutcomes(root), undefined)
})

test('claims are known if each of them was among the tests', () => {
  const { root, runTests } = makeRepository()

  runTests('--test-name-pattern=other')
  const leftOut = knownClaims([claim], root)
  runTests()

  assert.equal(leftOut, undefined)
  assert.equal(knownClaims([claim], root)?.length, 1)
  assert.equal(knownClaims([claim, { ...claim, id: 'crm-1-2' }], root), undefined)
  assert.equal(knownClaims([claim, claim], root), undefined)
})

test('outside a repository nothing is kept', () => {
  const root = mkdtempSync(join(tmpdir(), 'tributary-outcomes-'))
  after(() => rmSync(root, { recursive: true, force: true }))

  keepOutcomes(root, stampOf(root), nothing())

  assert.equal(knownOutcomes(root), undefined)
})
