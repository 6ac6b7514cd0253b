// npm run hostile -- [--route substring] [--only values|sizes] [--part 1/4]: sends all hostile values and sizes to all operations, or to
// those whose path contains the substring, or to every fourth operation, and prints the findings. `npm test` sends a sample of them.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runTestFile } from '../run-test-file.ts'

const { values } = parseArgs({
  options: { route: { type: 'string' }, only: { type: 'string' }, part: { type: 'string' } },
})
Object.assign(process.env, {
  HOSTILE: 'full',
  HOSTILE_ROUTE: values.route ?? '',
  HOSTILE_ONLY: values.only ?? '',
  HOSTILE_PART: values.part ?? '1/1',
})
await runTestFile(join(import.meta.dirname, 'hostile.test.ts'))
