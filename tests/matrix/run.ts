// Calls every route in every way that must be rejected. Argument: `isolation` or `scopes` (default: both). Prints findings and counts.
import { join } from 'node:path'
import { startTestRun } from '../run-test-file.ts'

const matrices = ['isolation', 'scopes']

// The test runner would attribute an uncaught error to a test and not print it.
await runMatrices(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function runMatrices(names: string[]): Promise<void> {
  const unknown = names.find((name) => !matrices.includes(name))
  if (unknown) throw new Error(`Unknown matrix ${unknown}. Use ${matrices.join(' or ')}.`)
  const selected = names.length ? names : matrices
  const files = selected.map((name) => join(import.meta.dirname, `${name}.test.ts`))
  process.env.MATRIX = 'full'
  const report: string[] = []
  const failures: string[] = []
  const events = startTestRun(files, { concurrency: 2 })
  events.on('test:diagnostic', ({ message, file }) => void (file && report.push(message)))
  events.on('test:stderr', ({ message }) => process.stderr.write(message))
  events.on('test:fail', ({ details: { error } }) => {
    const { message } = error.cause instanceof Error ? error.cause : error
    failures.push(message.split('\n')[0]!)
  })
  for await (const _event of events);

  for (const line of [...report, ...failures]) console.log(line)
  process.exitCode = failures.length ? 1 : 0
}
