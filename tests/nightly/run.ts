// npm run nightly [-- --seed N] [--only part,part]: runs the full versions of the tests one after the other and prints one page.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readArguments } from './arguments.ts'
import { formatPage, type PartResult } from './page.ts'
import { listParts, selectParts } from './parts.ts'
import { runPart } from './run-part.ts'

const root = join(import.meta.dirname, '../..')
const { seed, only } = readArguments(process.argv.slice(2))
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const parts = selectParts(listParts(seed), scripts, only)
const startedAt = new Date()
const results: PartResult[] = []
mkdirSync(join(root, 'tmp'), { recursive: true })
console.log(`Seed ${seed}.`)
for (const part of parts) {
  console.log(`\n== ${part.name}: ${part.command}`)
  results.push(await runPart(part, { cwd: root, write: (chunk) => void process.stdout.write(chunk) }))
  // Written after every part, so that an interrupted run leaves its results.
  writeFileSync(join(root, 'tmp/nightly.md'), formatPage(results, { seed, startedAt }))
}
console.log(`\n${formatPage(results, { seed, startedAt })}`)
process.exitCode = results.every(({ outcome }) => outcome === 'passed') ? 0 : 1
