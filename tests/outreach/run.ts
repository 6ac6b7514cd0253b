// npm run outreach [-- <histories> [first seed]]: plays 50,000 random histories of persons in cadences by default.
import { join } from 'node:path'
import { runTestFile } from '../run-test-file.ts'

const [histories = '50000', seed = '1'] = process.argv.slice(2)
process.env.OUTREACH_HISTORIES = histories
process.env.OUTREACH_SEED = seed
await runTestFile(join(import.meta.dirname, 'outreach.test.ts'))
