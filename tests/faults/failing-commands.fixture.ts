// Runs commands one after the other and prints their exit codes and errors.
import { runCli } from '../../src/commands/cli.ts'

const runs: { command: string; environment: Record<string, string> }[] = JSON.parse(process.argv[2]!)
const results: { code: number; output: string }[] = []
for (const { command, environment } of runs) {
  let output = ''
  const writeError = (text: string) => {
    output += text
  }
  results.push({ code: await runCli([command], { environment, writeError }), output })
}
process.stdout.write(JSON.stringify(results), () => process.exit())
