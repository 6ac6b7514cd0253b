// npm run bench -- <name>: prints measurements; the last line `ratio: X` is the result.
import { globSync } from 'node:fs'

const names = globSync(['*.bench.ts', 'web/*.bench.ts'], { cwd: import.meta.dirname })
  .map((file) => file.replace('.bench.ts', ''))
  .sort()
const name = process.argv[2]
if (!name || !names.includes(name)) {
  console.error(`Usage: npm run bench -- ${names.join(' | ')}`)
  process.exit(2)
}
const { run } = (await import(`./${name}.bench.ts`)) as { run(): Promise<void> }
await run()
