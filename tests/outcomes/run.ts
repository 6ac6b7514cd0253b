// npm run slowest [-- <how many>]: the test files that took longest in the last npm test.
import { join } from 'node:path'
import { readOutcomes } from './outcomes.ts'

const root = join(import.meta.dirname, '../..')
const most = Number(process.argv[2] ?? 15)
const files = readOutcomes(root)?.files.toSorted((one, other) => other.seconds - one.seconds)
if (!files) {
  console.error('Nothing is known of the last tests. npm test first.')
  process.exit(1)
}
for (const { file, seconds } of files.slice(0, most)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
const all = files.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(`${all.toFixed(1).padStart(7)} s  all ${files.length} files, one after the other`)
