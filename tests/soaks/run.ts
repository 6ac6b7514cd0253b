// npm run soak [-- <part of a name> [records]]: each with as many records as people have, unless told otherwise.
import { join } from 'node:path'
import { runAloud } from '../run-aloud.ts'

const [name = '', size = 'many'] = process.argv.slice(2)
process.env.SOAK_NAME = name
process.env.SOAK_SIZE = size
await runAloud(join(import.meta.dirname, 'soaks.test.ts'))
