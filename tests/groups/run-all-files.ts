import {
  formatSeconds,
  listExceededBudgets,
  listExceededTotal,
  listExceededWork,
  listLongFiles,
  listSlowParts,
  readBudgets,
} from '../budgets/budgets.ts'
import { emptyOutcomes, failureWithoutFile, isFailure, type Outcomes, recordOutcomes } from '../outcomes/outcomes.ts'
import { staticChecks } from './checks.ts'
import { groupTestFiles, listTestFiles, listUnsavedFiles, readSavedSeconds, type TestProcess } from './groups.ts'
import { runInLanes, type Task } from './lanes.ts'
import { addOutcomes, listFailedFiles, mergeOutcomes } from './rerun.ts'
import { runProcess } from './run-process.ts'

/** Runs all test files, with the static checks beside them if asked to. Saves the outcomes for later commands. */
export async function runAllFiles(root: string, { withChecks = false } = {}): Promise<boolean> {
  const processes = groupTestFiles(listTestFiles(root), readSavedSeconds(root))
  const outcomes = await recordOutcomes(root, async () => {
    const first = emptyOutcomes()
    const tasks = processes.map((process) => createTask(root, process, first))
    const addFailedCheck = (name: string) => first.tests.push(failureWithoutFile(name, 'failed'))
    await runInLanes([...tasks, ...(withChecks ? staticChecks(root, addFailedCheck) : [])], createReport())
    const failedFiles = listFailedFiles(first)
    return failedFiles.length ? mergeOutcomes(first, await rerunFiles(root, failedFiles), failedFiles) : first
  })
  printSummary(outcomes)
  return reportBudgets(root, outcomes, processes.length) && !outcomes.tests.some(isFailure)
}

function createTask(root: string, { name, files, lane, seconds }: TestProcess, outcomes: Outcomes): Task {
  return {
    name: files.length === 1 ? files[0]! : `${files.length} files from ${files[0]}`,
    lane,
    seconds,
    async run() {
      const result = await runProcess(root, { name, files })
      addOutcomes(outcomes, result.outcomes)
      return { hasPassed: result.hasPassed, output: selectFailures(result.output) }
    },
  }
}

/** Prints a line for each task, and the output of those that failed. */
function createReport() {
  const startedAt = Date.now()
  return ({ name }: Task, { hasPassed, output }: Awaited<ReturnType<Task['run']>>) => {
    const seconds = Math.round((Date.now() - startedAt) / 1_000)
    console.log(`${hasPassed ? 'passed' : 'FAILED'} at ${String(seconds).padStart(4)} s  ${name}`)
    if (!hasPassed) console.log(output)
  }
}

/** Runs the failed files again, one at a time and up to twice, because some tests depend on how busy the machine is. */
async function rerunFiles(root: string, files: readonly string[]): Promise<Outcomes> {
  const first = await runEach(root, files)
  const failedFiles = listFailedFiles(first)
  const outcomes = failedFiles.length ? mergeOutcomes(first, await runEach(root, failedFiles), failedFiles) : first
  if (!outcomes.tests.some(isFailure))
    console.log(`\nFlaky, failed first and passed alone: ${files.join(', ')}. Make them independent of load.`)
  return outcomes
}

async function runEach(root: string, files: readonly string[]): Promise<Outcomes> {
  console.log(`\nRunning again, one at a time: ${files.join(', ')}\n`)
  const outcomes = emptyOutcomes()
  for (const file of files) {
    const result = await runProcess(root, { name: 'again', files: [file] })
    addOutcomes(outcomes, result.outcomes)
    if (!result.hasPassed) console.log(selectFailures(result.output))
  }
  return outcomes
}

/** Omits the tests that passed. */
function selectFailures(output: string): string {
  const start = output.lastIndexOf('✖ failing tests:')
  return start >= 0 ? output.slice(start) : output
}

/** Fails the build if a count exceeds its budget that does not depend on the speed of the machine. The others are only reported. */
function reportBudgets(root: string, { usage, files }: Outcomes, processes: number): boolean {
  const budgets = readBudgets(root)
  console.log(formatSeconds(budgets, usage))
  for (const message of listUnsavedFiles(files, readSavedSeconds(root))) console.log(`Not planned: ${message}`)
  for (const message of listLongFiles(budgets, usage))
    console.log(`Long: ${message} Shorten it, or add its reason to tests/budgets.json.`)
  for (const message of listSlowParts(budgets, usage)) console.log(`Slow: ${message} See npm run slowest.`)
  const above = [...listExceededWork(budgets, usage), ...listExceededTotal(budgets, usage)]
  for (const message of above) console.log(`Above the usual: ${message}`)
  const exceeded = listExceededBudgets(budgets, usage, processes)
  for (const message of exceeded) console.log(`Budget exceeded: ${message}`)
  return exceeded.length === 0
}

function printSummary({ tests }: Outcomes): void {
  const passed = tests.filter(({ hasPassed }) => hasPassed).length
  console.log(`\n${passed} passed, ${tests.filter(isFailure).length} failed`)
}
