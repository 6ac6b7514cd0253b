// Runs the test files that are its arguments.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { countAllStatements } from '../../src/testing/counters.ts'
import { endProcess, shareProcess } from '../../src/testing/process-end.ts'
import { processPart, startFileMeter } from './file-meter.ts'

const root = join(import.meta.dirname, '../..')

/**
 * Runs test files one after the other in this process. Hooks and tests of a file become part of the test named after it. They
 * start while the file is still being evaluated, so a file must start its servers and declare its constants before its first test.
 */
function runFiles(files: readonly string[]): void {
  shareProcess()
  countAllStatements()
  const meter = startFileMeter()
  meter.measureReference()
  for (const file of files)
    void test(file, { timeout: fileTimeoutMs }, async () => {
      meter.startFile(file)
      await import(pathToFileURL(join(root, file)).href)
    })
  after(async () => {
    meter.startFile(processPart)
    await endProcess()
    meter.measureReference()
    const path = process.env.TEST_USAGE_FILE
    if (path) writeFileSync(path, JSON.stringify(meter.stop()))
    // Ends the process if a file left a handle open, instead of blocking the whole run.
    setTimeout(() => process.exit(), 2_000).unref()
  })
}

/** Long enough for every file on a busy machine; tests have their own, shorter limit. */
const fileTimeoutMs = 3_600_000

runFiles(process.argv.slice(2))
