// Holds the product against its contract: prints every deviation, and how many endpoints are as they should be.
import { join } from 'node:path'
import { run } from 'node:test'
import { endpoints } from './endpoint.ts'

const root = join(import.meta.dirname, '../..')

// While tests run, an error that nobody catches is taken for one of theirs and not printed.
await tellContract().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

async function tellContract(): Promise<void> {
  const told: string[] = []
  const failures: string[] = []
  // In a variable of its own, because the types do not know globalSetupPath yet.
  const options = {
    files: [join(import.meta.dirname, 'contract.test.ts')],
    cwd: root,
    globalSetupPath: join(root, 'src/testing/global-setup.ts'),
  }
  const events = run(options)
  events.on('test:diagnostic', ({ message, file }) => void (file && told.push(message)))
  events.on('test:stderr', ({ message }) => process.stderr.write(message))
  events.on('test:fail', ({ details: { error } }) => void failures.push(String(error.cause ?? error)))
  for await (const _event of events);

  const lines = told.length ? told : [...failures, `contract: 0 of ${endpoints.length}`]
  for (const line of lines) console.log(line)
  process.exitCode = failures.length ? 1 : 0
}
