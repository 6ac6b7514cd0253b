// npm run plans: compares the plans of all reads among a million leads. Prints the worst ones.
import { join } from 'node:path'
import { runTestFile } from '../run-test-file.ts'

process.env.PLANS = 'full'
await runTestFile(join(import.meta.dirname, 'plans.test.ts'))
