// Checks the API against its contract. Prints every deviation and the number of matching endpoints.
import { join } from 'node:path'
import { emptyOutcomes, findValidOutcomes, type Outcomes, recordEvent } from '../outcomes/outcomes.ts'
import { startTestRun } from '../run-test-file.ts'
import { endpoints } from './endpoint.ts'

const root = join(import.meta.dirname, '../..')
const file = 'tests/contract/contract.test.ts'

// The test runner would attribute an uncaught error to a test and not print it.
await reportContract().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

async function reportContract(): Promise<void> {
  const saved = findValidOutcomes(root)
  const isSaved = saved?.tests.some((test) => test.file === file) ?? false
  if (isSaved) console.log('Using the results of the last npm test on the same code.')
  const { tests, diagnostics } = isSaved ? saved! : await runContract()
  const failures = tests.filter((test) => test.file === file && !test.hasPassed).map(({ reason }) => reason)
  const lines = diagnostics.filter((diagnostic) => diagnostic.file === file).map(({ message }) => message)

  for (const line of lines.length ? lines : [...failures, `contract: 0 of ${endpoints.length}`]) console.log(line)
  process.exitCode = failures.length ? 1 : 0
}

async function runContract(): Promise<Outcomes> {
  const outcomes = emptyOutcomes()
  const events = startTestRun([join(root, file)])
  events.on('test:stderr', ({ message }) => process.stderr.write(message))
  for await (const event of events) recordEvent(outcomes, event, root)
  return outcomes
}
