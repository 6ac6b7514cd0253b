// npm run seeded-defects [-- <part of a name>]: applies each defect to a copy of the repository; the tests it names must fail.
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { globalSetup, globalTeardown } from '../../src/testing/global-setup.ts'
import { findValidOutcomes } from '../outcomes/outcomes.ts'
import { type Defect, listRepositoryFiles, seedDefect } from './defect.ts'
import { defects } from './defects.ts'
import { describeFailure, runTests } from './run-tests.ts'

const root = join(import.meta.dirname, '../..')
const part = process.argv[2] ?? ''
const selected = defects.filter(({ name }) => name.includes(part))
if (!selected.length) throw new Error(`No defect has "${part}" in its name.`)
for (const defect of selected) seedDefect(root, defect)

const copy = copyRepository()
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
process.on('exit', () => rmSync(copy, { recursive: true, force: true }))
await globalSetup()
try {
  if (!findValidOutcomes(root)) await assertTestsPass()
  let missed = 0
  for (const defect of selected) if (!(await isCaught(defect))) missed++
  console.log(`${selected.length - missed} of ${selected.length} defects are caught.`)
  process.exitCode = missed ? 1 : 0
} finally {
  await globalTeardown()
}

function copyRepository(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tributary-defects-'))
  for (const file of listRepositoryFiles(root)) cpSync(join(root, file), join(folder, file))
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'tmp'))
  return folder
}

/** Proves that the tests fail because of the defects and not for another reason. */
async function assertTestsPass(): Promise<void> {
  const files = [...new Set(selected.flatMap(({ tests }) => tests))]
  console.log(`Running ${files.length} test files without a defect.`)
  const failures = await runTests(copy, files)
  for (const { name, reason } of failures) console.error(`${name}: ${reason}`)
  if (failures.length) throw new Error('Tests fail without a defect.')
}

async function isCaught(defect: Defect): Promise<boolean> {
  const { name, file, tests } = defect
  writeFileSync(join(copy, file), seedDefect(root, defect))
  let caught = 0
  for (const test of tests) {
    const failure = describeFailure(await runTests(copy, [test], environmentFor(defect)))
    console.log(failure ? `caught  ${name}: ${test} › ${failure}` : `MISSED  ${name}: ${test}`)
    if (failure) caught++
  }
  cpSync(join(root, file), join(copy, file))
  return caught === tests.length
}

/** A changed migration needs a server of its own, because the databases of tests are copies of a migrated one. */
function environmentFor({ file, environment }: Defect): NodeJS.ProcessEnv {
  const { TEST_POSTGRES_URL: url, ...others } = process.env
  return { ...others, ...(file.startsWith('migrations/') ? {} : { TEST_POSTGRES_URL: url }), ...environment }
}
