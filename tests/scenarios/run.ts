// Reports which acceptance scenarios are covered. Runs their tests unless `npm test` has run them on the same code.

import { findValidScenarioOutcomes, listProblems, runScenarioTests } from './run-scenario-tests.ts'
import { findScenarioTests, formatRanges, scenarioIdOf, scenarioIds } from './scenario-tests.ts'

// The test runner would attribute an uncaught error to a test and not print it.
await reportScenarios().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

async function reportScenarios(): Promise<void> {
  const scenarioTests = findScenarioTests()
  const savedOutcomes = findValidScenarioOutcomes(scenarioTests)
  if (savedOutcomes) console.log('Using the results of the last npm test on the same code.')
  const problems = listProblems(scenarioTests, savedOutcomes ?? (await runScenarioTests(scenarioTests)))
  const failing = new Set(problems.map((problem) => scenarioIdOf(problem)))
  const tested = new Set(scenarioTests.map(({ id }) => id))
  const passing = scenarioIds.filter((id) => tested.has(id) && !failing.has(id))

  for (const line of missingBySection(passing)) console.log(line)
  for (const problem of problems) console.log(`failing: ${problem}`)
  console.log(`scenarios: ${passing.length} of ${scenarioIds.length}`)
  process.exitCode = problems.length ? 1 : 0
}

function missingBySection(passing: string[]): string[] {
  const missing = scenarioIds.filter((id) => !passing.includes(id)).map((id) => /^(.*)-(\d+)$/.exec(id)!)
  const sections = Object.groupBy(missing, ([, section]) => section!)
  return Object.entries(sections).map(
    ([section, matches = []]) => `missing ${section}: ${formatRanges(matches.map(([, , number]) => Number(number)))}`,
  )
}
