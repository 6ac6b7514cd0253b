import { runCli } from './commands/cli.ts'

process.exitCode = await runCli(process.argv.slice(2))
// A failed command may leave open handles that would keep the process alive.
if (process.exitCode) process.exit()
