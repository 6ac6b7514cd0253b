// npm run races [-- <runs> [part of a name]]: 5,000 runs of each, unless told otherwise. Prints violations; there are to be none.
import { join } from 'node:path'
import { run } from 'node:test'

const root = join(import.meta.dirname, '../..')
const [runs = '5000', name = ''] = process.argv.slice(2)
process.env.RACE_RUNS = runs
process.env.RACE_NAME = name

// In a variable of its own, because the types do not know globalSetupPath yet.
const options = {
  files: [join(import.meta.dirname, 'races.test.ts')],
  cwd: root,
  globalSetupPath: join(root, 'src/testing/global-setup.ts'),
}
const events = run(options)
events.on('test:diagnostic', ({ message, file }) => void (file && console.log(message)))
events.on('test:stderr', ({ message }) => process.stderr.write(message))
events.on('test:fail', ({ details: { error } }) => {
  console.log(String(error.cause ?? error))
  process.exitCode = 1
})
for await (const _event of events);
