// Holds the product against its contract: prints every deviation, and how many endpoints are as they should be.
import { join } from 'node:path'
import { run } from 'node:test'
import { knownOutcomes, note, nothing, type Outcomes } from '../outcomes/outcomes.ts'
import { endpoints } from './endpoint.ts'

const root = join(import.meta.dirname, '../..')
const file = 'tests/contract/contract.test.ts'

// While tests run, an error that nobody catches is taken for one of theirs and not printed.
await tellContract().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

async function tellContract(): Promise<void> {
  const known = knownOutcomes(root)
  const isKnown = known?.tests.some((one) => one.file === file) ?? false
  if (isKnown) console.log('As npm test found it on this very code.')
  const { tests, told } = isKnown ? known! : await runContract()
  const failures = tests.filter((one) => one.file === file && !one.hasPassed).map(({ why }) => why)
  const lines = told.filter((one) => one.file === file).map(({ message }) => message)

  for (const line of lines.length ? lines : [...failures, `contract: 0 of ${endpoints.length}`]) console.log(line)
  process.exitCode = failures.length ? 1 : 0
}

async function runContract(): Promise<Outcomes> {
  const outcomes = nothing()
  // In a variable of its own, because the types do not know globalSetupPath yet.
  const options = {
    files: [join(root, file)],
    cwd: root,
    globalSetupPath: join(root, 'src/testing/global-setup.ts'),
  }
  const events = run(options)
  events.on('test:stderr', ({ message }) => process.stderr.write(message))
  for await (const event of events) note(outcomes, event, root)
  return outcomes
}
