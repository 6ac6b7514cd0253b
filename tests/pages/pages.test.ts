// Runs all page tests in one process with one browser, because both take longer to start than most of the tests.
import { globSync } from 'node:fs'
import { join } from 'node:path'
import { runFiles } from '../groups/run-files.ts'
import { getBrowser, getPages } from './browser-pages.ts'

const root = join(import.meta.dirname, '../..')
// Started here, so that they stop after the last file instead of the first.
await getBrowser()
await getPages()

runFiles(globSync('tests/pages/*.pages.ts', { cwd: root }).sort())
