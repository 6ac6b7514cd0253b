// npm run slowest [-- <count>]: prints the test files of the last npm test by processor time, then the parts of tests/budgets.json.
// npm run slowest -- --save: saves the longest files, so that later runs start them first.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readBudgets, sumSeconds, sumUsage } from '../budgets/budgets.ts'
import { processorMetrics, secondsOfUsage } from '../groups/file-meter.ts'
import { readOutcomes } from './outcomes.ts'

const root = join(import.meta.dirname, '../..')
const outcomes = readOutcomes(root)
if (!outcomes) {
  console.error('There are no saved test results. Run npm test first.')
  process.exit(1)
}
if (process.argv.includes('--save')) saveSeconds(outcomes.files)
else printUsage(Number(process.argv[2] ?? 15))

function saveSeconds(files: { file: string; seconds: number }[]): void {
  const longest = files.filter(({ seconds }) => seconds > 5).sort((one, other) => (one.file < other.file ? -1 : 1))
  const saved = Object.fromEntries(longest.map(({ file, seconds }) => [file, Math.round(seconds)]))
  writeFileSync(join(root, 'tests/groups/seconds.json'), `${JSON.stringify(saved, null, 2)}\n`)
  console.log(`Saved ${longest.length} files that take more than 5 seconds.`)
}

function printUsage(count: number): void {
  const { usage = [] } = outcomes ?? {}
  const columns = ['processor s', ...processorMetrics, 'requests', 'statements', 'rows']
  console.log(columns.map((column) => column.padStart(12)).join(''))
  for (const one of usage.toSorted((first, second) => secondsOfUsage(second) - secondsOfUsage(first)).slice(0, count)) {
    const numbers = [
      secondsOfUsage(one).toFixed(1),
      ...processorMetrics.map((metric) => one[metric].toFixed(1)),
      one.requests,
      one.statements,
      one.rows,
    ]
    console.log(`${numbers.map((number) => String(number).padStart(12)).join('')}  ${one.file}`)
  }
  console.log('\nParts:')
  for (const { part, fileUsages: _, ...budget } of sumUsage(readBudgets(root), usage))
    console.log(`  ${JSON.stringify(part)}: ${JSON.stringify(budget)}`)
  console.log(`${sumSeconds(usage).toFixed(0)} s of processor time in ${usage.length} files`)
}
