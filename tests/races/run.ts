// npm run races [-- <runs> [part of a name]]: 5,000 runs of each, unless told otherwise. Prints violations; there are to be none.
import { join } from 'node:path'
import { runAloud } from '../run-aloud.ts'

const [runs = '5000', name = ''] = process.argv.slice(2)
process.env.RACE_RUNS = runs
process.env.RACE_NAME = name
await runAloud(join(import.meta.dirname, 'races.test.ts'))
