// Sends all hostile values to all operations and prints the findings. `npm test` sends a sample of them.
import { join } from 'node:path'
import { runTestFile } from '../run-test-file.ts'

process.env.HOSTILE = 'full'
await runTestFile(join(import.meta.dirname, 'hostile.test.ts'))
