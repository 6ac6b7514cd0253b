import { join } from 'node:path'
import { run } from 'node:test'
import { knownOutcomes, note, nothing, type Outcome } from '../outcomes/outcomes.ts'
import { type Claim, idIn, namePattern, scenarioIds } from './claims.ts'

const root = join(import.meta.dirname, '../..')

/** What the last tests have shown, if it was this very code and every claim was among them. */
export function knownClaims(claims: Claim[], place = root): Outcome[] | undefined {
  const outcomes = knownOutcomes(place)?.tests.filter(({ name }) => idIn(name))
  return outcomes && notRun(claims, outcomes).length === 0 ? outcomes : undefined
}

/** Runs the tests that claim a scenario, and no others. A test that is left out has not passed. */
export async function runClaims(claims: Claim[]): Promise<Outcome[]> {
  const files = [...new Set(claims.map(({ file }) => join(root, file)))]
  if (files.length === 0) return []
  const outcomes = nothing()

  // In a variable of its own, because the types do not know globalSetupPath yet.
  const options = {
    files,
    cwd: root,
    concurrency: 2,
    testNamePatterns: [namePattern],
    globalSetupPath: join(root, 'src/testing/global-setup.ts'),
  }
  for await (const event of run(options)) note(outcomes, event, root)
  return outcomes.tests.filter(({ name }) => idIn(name))
}

/** Several tests of a file may claim the same scenario; each of them must have run. */
function notRun(claims: Claim[], outcomes: Outcome[]): Claim[] {
  const left = new Map<string, number>()
  for (const { name, file } of outcomes) {
    const key = `${idIn(name)} ${file}`
    left.set(key, (left.get(key) ?? 0) + 1)
  }
  return claims.filter(({ id, file }) => {
    const key = `${id} ${file}`
    const some = left.get(key) ?? 0
    left.set(key, some - 1)
    return some < 1
  })
}

/** What is wrong with the claims, each beginning with the id it is about. */
export function problemsOf(claims: Claim[], outcomes: Outcome[]): string[] {
  const unknown = claims.filter(({ id }) => !scenarioIds.includes(id))
  const lost = notRun(claims, outcomes)
  const failed = outcomes.filter(({ hasPassed }) => !hasPassed)
  return [
    ...new Set([
      ...unknown.map(({ id, file }) => `${id} in ${file}: there is no such scenario`),
      ...lost.map(({ id, file }) => `${id} in ${file}: did not run`),
      ...failed.map(({ name, file, why }) => `${name} (${file}): ${why}`),
    ]),
  ]
}
