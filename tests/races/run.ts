// npm run races [-- <runs> [part of a name]]: runs each race 5,000 times by default, the longest ones less often, and prints outcomes and violations.
import { join } from 'node:path'
import { runTestFile } from '../run-test-file.ts'

const [runs = '5000', name = ''] = process.argv.slice(2)
process.env.RACE_RUNS = runs
process.env.RACE_NAME = name
await runTestFile(join(import.meta.dirname, 'races.test.ts'))
