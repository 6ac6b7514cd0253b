// npm run soak [-- <part of a name> [records]]: runs the soaks with production-like numbers of records by default.
// `npm run soak -- '' nightly` uses those of `npm run nightly`.
import { join } from 'node:path'
import { runTestFile } from '../run-test-file.ts'

const [name = '', size = 'full'] = process.argv.slice(2)
process.env.SOAK_NAME = name
process.env.SOAK_SIZE = size
await runTestFile(join(import.meta.dirname, 'soaks.test.ts'))
