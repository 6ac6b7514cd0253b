import { run } from './commands/run.ts'

process.exitCode = await run(process.argv.slice(2))
// What failed may have left something open that would keep the process alive.
if (process.exitCode) process.exit()
