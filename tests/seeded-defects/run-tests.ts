import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Failure } from './failure-reporter.ts'

const failuresPath = 'tmp/failures.jsonl'
const flags = [
  '--test',
  '--test-concurrency=1',
  '--test-timeout=240000',
  '--test-global-setup=src/testing/global-setup.ts',
  '--test-reporter=./tests/seeded-defects/failure-reporter.ts',
  `--test-reporter-destination=${failuresPath}`,
]

/** Runs test files of a copy of the repository and returns what failed. */
export async function runTests(
  root: string,
  files: readonly string[],
  environment: NodeJS.ProcessEnv = process.env,
): Promise<Failure[]> {
  const child = spawn(process.execPath, [...flags, ...files], {
    cwd: root,
    stdio: 'ignore',
    env: { ...environment, NODE_COMPILE_CACHE: 'tmp/compile-cache' },
  })
  const [exitCode] = await once(child, 'exit')
  const lines = existsSync(join(root, failuresPath)) ? readFileSync(join(root, failuresPath), 'utf8').split('\n') : []
  const failures = lines.filter(Boolean).map((line): Failure => JSON.parse(line))
  if (exitCode !== 0 && !failures.length) throw new Error(`The tests ended with ${exitCode} and without a result.`)
  return failures
}

/** Returns the name of a failed test, or else the error of a hook or a file, which is named after a file. */
export function describeFailure(failures: readonly Failure[]): string | undefined {
  const test = failures.find(({ name }) => !name.endsWith('.ts'))
  return test?.name ?? failures[0]?.reason.split('\n')[0]
}
