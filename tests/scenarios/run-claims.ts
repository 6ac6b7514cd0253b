import { join, relative } from 'node:path'
import { run } from 'node:test'
import { type Claim, idIn, namePattern, scenarioIds } from './claims.ts'

const root = join(import.meta.dirname, '../..')

export type Outcome = { name: string; file: string; hasPassed: boolean; why: string }

/** Runs the tests that claim a scenario, and no others. A test that is left out has not passed. */
export async function runClaims(claims: Claim[]): Promise<Outcome[]> {
  const files = [...new Set(claims.map(({ file }) => join(root, file)))]
  if (files.length === 0) return []
  const outcomes: Outcome[] = []
  const note = (name: string, file: string | undefined, why?: string) => {
    if (idIn(name)) outcomes.push({ name, file: relative(root, file ?? ''), hasPassed: !why, why: why ?? '' })
  }

  // In a variable of its own, because the types do not know globalSetupPath yet.
  const options = {
    files,
    cwd: root,
    concurrency: 2,
    testNamePatterns: [namePattern],
    globalSetupPath: join(root, 'src/testing/global-setup.ts'),
  }
  const events = run(options)
  events.on('test:pass', ({ name, file, skip, todo }) => note(name, file, (skip ?? todo) ? 'is left out' : undefined))
  events.on('test:fail', ({ name, file, details: { error } }) => note(name, file, firstLine(error.cause ?? error)))
  for await (const _event of events);
  return outcomes
}

const firstLine = (error: unknown) => String(error).split('\n')[0] || 'failed'

/** What is wrong with the claims, each beginning with the id it is about. */
export function problemsOf(claims: Claim[], outcomes: Outcome[]): string[] {
  const unknown = claims.filter(({ id }) => !scenarioIds.includes(id))
  const wasRun = new Set(outcomes.map(({ name, file }) => `${idIn(name)} ${file}`))
  const lost = claims.filter(({ id, file }) => !wasRun.has(`${id} ${file}`))
  const failed = outcomes.filter(({ hasPassed }) => !hasPassed)
  return [
    ...new Set([
      ...unknown.map(({ id, file }) => `${id} in ${file}: there is no such scenario`),
      ...lost.map(({ id, file }) => `${id} in ${file}: did not run`),
      ...failed.map(({ name, file, why }) => `${name} (${file}): ${why}`),
    ]),
  ]
}
