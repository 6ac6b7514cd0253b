import { join } from 'node:path'
import { emptyOutcomes, findValidOutcomes, type Outcome, recordEvent } from '../outcomes/outcomes.ts'
import { startTestRun } from '../run-test-file.ts'
import { namePattern, type ScenarioTest, scenarioIdOf, scenarioIds, testFileOf } from './scenario-tests.ts'

const root = join(import.meta.dirname, '../..')

/** Returns the outcomes of the last `npm test` if they are valid and include all scenario tests. */
export function findValidScenarioOutcomes(scenarioTests: ScenarioTest[], repositoryRoot = root): Outcome[] | undefined {
  const outcomes = findValidOutcomes(repositoryRoot)?.tests.filter(({ name }) => scenarioIdOf(name))
  return outcomes && listNotRun(scenarioTests, outcomes).length === 0 ? outcomes : undefined
}

export async function runScenarioTests(scenarioTests: ScenarioTest[]): Promise<Outcome[]> {
  const files = [...new Set(scenarioTests.map(({ file }) => join(root, testFileOf(file))))]
  if (files.length === 0) return []
  const outcomes = emptyOutcomes()
  const events = startTestRun(files, { concurrency: 2, testNamePatterns: [namePattern] })
  for await (const event of events) recordEvent(outcomes, event, root)
  return outcomes.tests.filter(({ name }) => scenarioIdOf(name))
}

/** Several tests of a file may cover the same scenario; all of them must have run. */
function listNotRun(scenarioTests: ScenarioTest[], outcomes: Outcome[]): ScenarioTest[] {
  const unmatched = new Map<string, number>()
  for (const { name, file } of outcomes) {
    const key = `${scenarioIdOf(name)} ${file}`
    unmatched.set(key, (unmatched.get(key) ?? 0) + 1)
  }
  return scenarioTests.filter(({ id, file }) => {
    const key = `${id} ${file}`
    const count = unmatched.get(key) ?? 0
    unmatched.set(key, count - 1)
    return count < 1
  })
}

/** Returns one line per problem, each starting with the scenario id. */
export function listProblems(scenarioTests: ScenarioTest[], outcomes: Outcome[]): string[] {
  const unknown = scenarioTests.filter(({ id }) => !scenarioIds.includes(id))
  const missing = listNotRun(scenarioTests, outcomes)
  const failed = outcomes.filter(({ hasPassed }) => !hasPassed)
  return [
    ...new Set([
      ...unknown.map(({ id, file }) => `${id} in ${file}: unknown scenario`),
      ...missing.map(({ id, file }) => `${id} in ${file}: did not run`),
      ...failed.map(({ name, file, reason }) => `${name} (${file}): ${reason}`),
    ]),
  ]
}
