// npm run matrix -- [isolation] [scopes] [layers] [--route substring]: calls every route, or those whose URL contains the
// substring, in every way that must be rejected and with every caller. Prints findings and counts.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startTestRun } from '../run-test-file.ts'

const matrices = ['isolation', 'layers', 'scopes']

// The test runner would attribute an uncaught error to a test and not print it.
await runMatrices().catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function runMatrices(): Promise<void> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { route: { type: 'string' } } })
  const unknown = positionals.find((name) => !matrices.includes(name))
  if (unknown) throw new Error(`Unknown matrix ${unknown}. Use ${matrices.join(' or ')}.`)
  // The tests of the layers have their own routes.
  const selected = positionals.length ? positionals : matrices.filter((name) => name !== 'layers' || !values.route)
  Object.assign(process.env, { MATRIX: 'full', MATRIX_NAMES: selected.join(), MATRIX_ROUTE: values.route ?? '' })
  const report: string[] = []
  const failures: string[] = []
  const events = startTestRun([join(import.meta.dirname, 'matrix.test.ts')])
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
