// Runs the tests that show a scenario of the product, and tells which scenarios are shown by now.
import { findClaims, idIn, inWords, scenarioIds } from './claims.ts'
import { problemsOf, runClaims } from './run-claims.ts'

// While tests run, an error that nobody catches is taken for one of theirs and not printed.
await tellScenarios().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

async function tellScenarios(): Promise<void> {
  const claims = findClaims()
  const problems = problemsOf(claims, await runClaims(claims))
  const failing = new Set(problems.map((problem) => idIn(problem)))
  const claimed = new Set(claims.map(({ id }) => id))
  const shown = scenarioIds.filter((id) => claimed.has(id) && !failing.has(id))

  for (const line of missingBySection(shown)) console.log(line)
  for (const problem of problems) console.log(`failing: ${problem}`)
  console.log(`scenarios: ${shown.length} of ${scenarioIds.length}`)
  process.exitCode = problems.length ? 1 : 0
}

function missingBySection(shown: string[]): string[] {
  const missing = scenarioIds.filter((id) => !shown.includes(id)).map((id) => /^(.*)-(\d+)$/.exec(id)!)
  const sections = Object.groupBy(missing, ([, section]) => section!)
  return Object.entries(sections).map(
    ([section, some = []]) => `missing ${section}: ${inWords(some.map(([, , number]) => Number(number)))}`,
  )
}
