// npm run slowest [-- <count>]: prints the slowest test files of the last npm test.
import { join } from 'node:path'
import { readOutcomes } from './outcomes.ts'

const root = join(import.meta.dirname, '../..')
const count = Number(process.argv[2] ?? 15)
const files = readOutcomes(root)?.files.toSorted((one, other) => other.seconds - one.seconds)
if (!files) {
  console.error('There are no saved test results. Run npm test first.')
  process.exit(1)
}
for (const { file, seconds } of files.slice(0, count)) console.log(`${seconds.toFixed(1).padStart(7)} s  ${file}`)
const total = files.reduce((sum, { seconds }) => sum + seconds, 0)
console.log(`${total.toFixed(1).padStart(7)} s  all ${files.length} files in total`)
