import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { emptyOutcomes, failureWithoutFile, isFailure, type Outcomes } from '../outcomes/outcomes.ts'
import type { TestProcess } from './groups.ts'
import { attributeRunnerFailure } from './rerun.ts'
import { runCommand } from './run-command.ts'

export type ProcessOptions = Pick<TestProcess, 'name' | 'files'> & {
  flags?: readonly string[]
  isLive?: boolean
  /** Without the runner of several files, whose tests have the names of files. */
  isDirect?: boolean
}

/** Runs the test files of a process and returns their outcomes and what they printed, unless it was printed at once. */
export async function runProcess(root: string, { name, files, flags = [], isLive, isDirect }: ProcessOptions) {
  const path = (kind: string) => `tmp/test-groups/${name}.${kind}`
  for (const kind of ['outcomes.json', 'usage.json']) rmSync(join(root, path(kind)), { force: true })
  const reporters = [
    '--test-reporter=spec',
    '--test-reporter-destination=stdout',
    '--test-reporter=./tests/groups/process-reporter.ts',
    '--test-reporter-destination=stderr',
  ]
  const program = isDirect ? files : ['tests/groups/run-files.ts', ...files]
  const allFlags = [...memoryFlags, '--test-timeout=600000', ...reporters, ...flags, ...program]
  const reports = { TEST_OUTCOMES_FILE: path('outcomes.json'), TEST_USAGE_FILE: path('usage.json') }
  const environment = { ...process.env, ...testEnvironment, ...reports }
  const { code, output } = await runCommand(process.execPath, allFlags, { root, isLive, environment })
  const { tests: recorded, ...rest } = readJson<Outcomes>(join(root, path('outcomes.json'))) ?? emptyOutcomes()
  const tests = attributeRunnerFailure(recorded)
  const usage = readJson<Outcomes['usage']>(join(root, path('usage.json'))) ?? []
  const hasEnded = code === 0 && tests.length > 0
  if (!hasEnded && !tests.some(isFailure)) tests.push(failureWithoutFile(`process ${name}`, `exit code ${code}`))
  return { hasPassed: !tests.some(isFailure), output, outcomes: { ...rest, tests, usage } }
}

/** Large generations avoid most garbage collections. */
const memoryFlags = ['--max-semi-space-size=128', '--initial-old-space-size=1000']

/** The processes that tests start have a smaller young generation, which still halves the time of its collections. */
const testEnvironment = { NODE_COMPILE_CACHE: 'tmp/compile-cache', NODE_OPTIONS: '--max-semi-space-size=32' }

function readJson<T>(path: string): T | undefined {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    return undefined
  }
}
