// npm run soak [-- <part of a name> [records]]: each with as many records as people have, unless told otherwise.
import { join } from 'node:path'
import { run } from 'node:test'

const root = join(import.meta.dirname, '../..')
const [name = '', size = 'many'] = process.argv.slice(2)
process.env.SOAK_NAME = name
process.env.SOAK_SIZE = size

// In a variable of its own, because the types do not know globalSetupPath yet.
const options = {
  files: [join(import.meta.dirname, 'soaks.test.ts')],
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
