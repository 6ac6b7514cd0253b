// npm test: runs all test files, several of them in one process.
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readOutcomes, saveOutcomes } from '../outcomes/outcomes.ts'
import { groupTestFiles, listTestFiles } from './groups.ts'
import { listFailedFiles, mergeOutcomes } from './rerun.ts'

const root = join(import.meta.dirname, '../..')
const folder = join(root, 'tmp/test-groups')
rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })

const { shared, alone } = groupTestFiles(listTestFiles(root))
const groups = shared.map((files, n) => {
  const path = `tmp/test-groups/${String(n + 1).padStart(2, '0')}.test.ts`
  const text = `import { runFiles } from '../../tests/groups/run-files.ts'\n\nrunFiles(${JSON.stringify(files, null, 2)})\n`
  writeFileSync(join(root, path), text)
  return path
})

const reporters = ['spec', './tests/outcomes/reporter.ts'].flatMap((reporter) => [
  `--test-reporter=${reporter}`,
  '--test-reporter-destination=stdout',
])
const flags = ['--test', '--test-timeout=240000', '--test-global-setup=src/testing/global-setup.ts', ...reporters]

function runTestFiles(files: readonly string[], concurrency: number): Promise<boolean> {
  const child = spawn(process.execPath, [...flags, `--test-concurrency=${concurrency}`, ...files], {
    cwd: root,
    stdio: 'inherit',
    // A larger young generation halves the time of garbage collections.
    env: { ...process.env, NODE_COMPILE_CACHE: 'tmp/compile-cache', NODE_OPTIONS: '--max-semi-space-size=32' },
  })
  return new Promise((resolve) => child.on('exit', (code) => resolve(code === 0)))
}

/** Runs the failed files once more, one at a time, because some tests depend on how busy the machine is. */
async function rerunFailedFiles(): Promise<boolean> {
  const first = readOutcomes(root)
  const files = first ? listFailedFiles(first) : []
  if (!first || files.length === 0) return false
  console.log(`\nRunning again, one at a time: ${files.join(', ')}\n`)
  if (!(await runTestFiles(files, 1))) return false
  const second = readOutcomes(root)
  if (second) saveOutcomes(root, second.codeHash, mergeOutcomes(first, second, files))
  console.log(`\nFlaky, failed first and passed alone: ${files.join(', ')}. Make them independent of load.`)
  return true
}

const hasPassed = (await runTestFiles([...groups, ...alone], 2)) || (await rerunFailedFiles())
process.exit(hasPassed ? 0 : 1)
