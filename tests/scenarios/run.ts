// Tells which scenarios of the product are shown by now. Their tests are run, unless `npm test` has just run them on the same code.
import { findClaims, idIn, inWords, scenarioIds } from './claims.ts'
import { knownClaims, problemsOf, runClaims } from './run-claims.ts'

// While tests run, an error that nobody catches is taken for one of theirs and not printed.
await tellScenarios().catch((error) => {
  console.error(error)
  process.exitCode = 1
})

async function tellScenarios(): Promise<void> {
  const claims = findClaims()
  const known = knownClaims(claims)
  if (known) console.log('As npm test found it on this very code.')
  const problems = problemsOf(claims, known ?? (await runClaims(claims)))
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
