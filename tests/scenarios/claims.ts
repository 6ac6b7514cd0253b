import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const scenarios: { id: string; text: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'scenarios.json'), 'utf8'),
)

export const scenarioIds = scenarios.map(({ id }) => id)

const areas = [...new Set(scenarioIds.map((id) => id.split('-')[0]!))].join('|')
const testName = new RegExp(`\\b(?:test|it)\\(\\s*['"\`]((?:${areas})-\\d+-\\d+)\\b`, 'g')

/** The name of a test that shows a scenario begins with the scenario's id. */
export const namePattern = new RegExp(`(?:^|\\s)(?:${areas})-\\d+-\\d+\\b`)

export const idIn = (name: string): string | undefined => new RegExp(`^(?:${areas})-\\d+-\\d+\\b`).exec(name)?.[0]

export type Claim = { id: string; file: string }

/** What the test files say they show. */
export const findClaims = (): Claim[] =>
  globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root }).flatMap((file) => claimsIn(file))

function claimsIn(file: string): Claim[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(testName)].map(([, id]) => ({ id: id!, file }))
}

/** The numbers of a section in few words: 1-4, 7. */
export function inWords(numbers: number[]): string {
  const runs: [number, number][] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = runs.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else runs.push([number, number])
  }
  return runs.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ')
}
