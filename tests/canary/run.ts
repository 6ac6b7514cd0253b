// npm run canary: reads every route and way with every reader, and prints the fields that a reader must not see.
import { join } from 'node:path'
import { runTestFile } from '../run-test-file.ts'

process.env.CANARY = 'full'
await runTestFile(join(import.meta.dirname, 'canary.test.ts'))
