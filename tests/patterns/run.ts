// npm run patterns [-- --verify]: proves that new regular expressions of the product take linear time, and writes the list of those
// that do. With --verify all are proven again, which takes minutes, and the list is compared instead.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { checkPattern } from './check-pattern.ts'
import { measuredPatterns } from './measured-patterns.ts'
import stored from './proven-patterns.json' with { type: 'json' }
import { listPatterns } from './source-patterns.ts'

const { values } = parseArgs({ options: { verify: { type: 'boolean', default: false } } })
const known = new Set<string>(values.verify ? [] : stored)
const proven: string[] = []
for (const pattern of listPatterns().patterns) {
  const { key, where } = pattern
  if (key in measuredPatterns) continue
  const verdict = known.has(key) ? { status: 'linear' as const } : await checkPattern(pattern, 120_000)
  if (verdict.status === 'linear') proven.push(key)
  else {
    console.log(`${verdict.status}: ${where} ${key} (${verdict.reason})`)
    process.exitCode = 1
  }
}
console.log(`${proven.length} are linear, ${Object.keys(measuredPatterns).length} are measured`)
if (!values.verify)
  writeFileSync(join(import.meta.dirname, 'proven-patterns.json'), `${JSON.stringify(proven.sort(), null, 2)}\n`)
else if (proven.toSorted().join() !== stored.toSorted().join()) {
  console.log('tests/patterns/proven-patterns.json is out of date')
  process.exitCode = 1
}
process.exit()
