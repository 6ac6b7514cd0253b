// npm test: runs all test files, many of them in one process. `npm test -- <folder or file>` runs some of them, with kept servers,
// and `npm test -- --changed` those of the changes since the last commit.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { buildWeb, isWebOutdated } from '../../src/dev/build-web.ts'
import { globalSetup, globalTeardown } from '../../src/testing/global-setup.ts'
import { runAllFiles } from './run-all-files.ts'
import { runChangedFiles, runSomeFiles } from './run-some-files.ts'

const root = join(import.meta.dirname, '../..')
mkdirSync(join(root, 'tmp/test-groups'), { recursive: true })

const inputs = process.argv.slice(2)
const flags = inputs.filter((input) => input.startsWith('--'))
const paths = inputs.filter((input) => !input.startsWith('--'))
if (flags.includes('--changed')) {
  const others = flags.filter((flag) => flag !== '--changed')
  process.exit((await runChangedFiles(root, others)) ? 0 : 1)
}
if (paths.length > 0) process.exit((await runSomeFiles(root, paths, flags)) ? 0 : 1)

// Imported here, because some files run without a bundle.
const { bundleTestPrograms } = await import('../bundle/test-programs.ts')
process.env.TEST_BUNDLE = 'tmp/test-bundle'
// tests/bundle compares it with the one that the routes describe.
process.env.TEST_OPENAPI = join(root, 'docs/openapi.json')
// Built here, because several processes use it at the same time.
if (isWebOutdated()) buildWeb()
await Promise.all([globalSetup(), bundleTestPrograms(process.env.TEST_BUNDLE)])
const hasPassed = await runAllFiles(root, { withChecks: flags.includes('--with-checks') })
await globalTeardown()
process.exit(hasPassed ? 0 : 1)
