// Tries every route in every way it must not be used: `isolation`, `scopes`, or both. Prints what it finds, and how much it tried.
import { join } from 'node:path'
import { run } from 'node:test'

const root = join(import.meta.dirname, '../..')
const matrices = ['isolation', 'scopes']

// While tests run, an error that nobody catches is taken for one of theirs and not printed.
await tellMatrices(process.argv.slice(2)).catch((error) => {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
})

async function tellMatrices(asked: string[]): Promise<void> {
  const unknown = asked.find((name) => !matrices.includes(name))
  if (unknown) throw new Error(`There is no matrix called ${unknown}. There are ${matrices.join(' and ')}.`)
  const chosen = asked.length ? asked : matrices
  // In a variable of its own, because the types do not know globalSetupPath yet.
  const options = {
    files: chosen.map((name) => join(import.meta.dirname, `${name}.test.ts`)),
    cwd: root,
    concurrency: 2,
    globalSetupPath: join(root, 'src/testing/global-setup.ts'),
  }
  const told: string[] = []
  const failures: string[] = []
  const events = run(options)
  events.on('test:diagnostic', ({ message, file }) => void (file && told.push(message)))
  events.on('test:stderr', ({ message }) => process.stderr.write(message))
  events.on('test:fail', ({ details: { error } }) => {
    const { message } = error.cause instanceof Error ? error.cause : error
    failures.push(message.split('\n')[0]!)
  })
  for await (const _event of events);

  for (const line of [...told, ...failures]) console.log(line)
  process.exitCode = failures.length ? 1 : 0
}
