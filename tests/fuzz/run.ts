// npm run fuzz -- [--runs N] [--seed S] [--route substring] [--run N [--from N]] [--verbose]: sends generated requests to every route.
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { runTestFile } from '../run-test-file.ts'

const option = { type: 'string' } as const
const options = {
  runs: option,
  seed: option,
  route: option,
  run: option,
  from: option,
  verbose: { type: 'boolean' } as const,
}
for (const [name, value] of Object.entries(parseArgs({ options }).values))
  process.env[`FUZZ_${name.toUpperCase()}`] = String(value)
process.env.FUZZ_RUNS ??= '22000'
await runTestFile(join(import.meta.dirname, 'fuzz.test.ts'))
