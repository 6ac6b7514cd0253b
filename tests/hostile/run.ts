// npm run hostile -- [--route substring] [--only values|sizes]: sends all hostile values and sizes to all operations, or to those whose
// path contains the substring, and prints the findings. `npm test` sends a sample of them.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runTestFile } from '../run-test-file.ts'

const { values } = parseArgs({ options: { route: { type: 'string' }, only: { type: 'string' } } })
Object.assign(process.env, { HOSTILE: 'full', HOSTILE_ROUTE: values.route ?? '', HOSTILE_ONLY: values.only ?? '' })
await runTestFile(join(import.meta.dirname, 'hostile.test.ts'))
