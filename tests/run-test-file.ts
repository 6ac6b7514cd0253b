import { join } from 'node:path'
import { run } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Starts test files with the shared servers of the global setup. */
export function startTestRun(files: string[], options: { concurrency?: number; testNamePatterns?: RegExp[] } = {}) {
  // A separate variable, because the types do not know globalSetupPath yet.
  const runOptions = { ...options, files, cwd: root, globalSetupPath: join(root, 'src/testing/global-setup.ts') }
  return run(runOptions)
}

/** Runs one test file and prints only diagnostics and failures. */
export async function runTestFile(file: string): Promise<void> {
  const events = startTestRun([file])
  events.on('test:diagnostic', ({ message, file }) => void (file && console.log(message)))
  events.on('test:stderr', ({ message }) => process.stderr.write(message))
  events.on('test:fail', ({ details: { error } }) => {
    console.log(String(error.cause ?? error))
    process.exitCode = 1
  })
  for await (const _event of events);
}
