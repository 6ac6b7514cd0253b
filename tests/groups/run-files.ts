import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'

const root = join(import.meta.dirname, '../..')

/**
 * Runs test files one after the other in this process. Hooks and tests of a file become part of the test named after it. They
 * start while the file is still being evaluated, so a file must start its servers and declare its constants before its first test.
 */
export function runFiles(files: readonly string[]): void {
  for (const file of files)
    void test(file, { timeout: Number.POSITIVE_INFINITY }, async () => {
      await import(pathToFileURL(join(root, file)).href)
    })
  // Ends the process if a file left a handle open, instead of blocking the whole run.
  after(() => void setTimeout(() => process.exit(), 5_000).unref())
}
