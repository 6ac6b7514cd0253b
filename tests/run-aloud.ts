import { join } from 'node:path'
import { run } from 'node:test'

const root = join(import.meta.dirname, '..')

/** Runs one test file by hand: prints what its tests tell and what is wrong, and nothing else. */
export async function runAloud(file: string): Promise<void> {
  // In a variable of its own, because the types do not know globalSetupPath yet.
  const options = { files: [file], cwd: root, globalSetupPath: join(root, 'src/testing/global-setup.ts') }
  const events = run(options)
  events.on('test:diagnostic', ({ message, file }) => void (file && console.log(message)))
  events.on('test:stderr', ({ message }) => process.stderr.write(message))
  events.on('test:fail', ({ details: { error } }) => {
    console.log(String(error.cause ?? error))
    process.exitCode = 1
  })
  for await (const _event of events);
}
