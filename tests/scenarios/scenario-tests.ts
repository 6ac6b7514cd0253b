import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../..')
const scenarios: { id: string; text: string }[] = JSON.parse(
  readFileSync(join(import.meta.dirname, 'scenarios.json'), 'utf8'),
)

export const scenarioIds = scenarios.map(({ id }) => id)

const areas = [...new Set(scenarioIds.map((id) => id.split('-')[0]!))].join('|')
const testName = new RegExp(`\\b(?:test|it)\\(\\s*['"\`]((?:${areas})-\\d+-\\d+)\\b`, 'g')

/** The name of a scenario test starts with the scenario id. */
export const namePattern = new RegExp(`(?:^|\\s)(?:${areas})-\\d+-\\d+\\b`)

export const scenarioIdOf = (name: string): string | undefined =>
  new RegExp(`^(?:${areas})-\\d+-\\d+\\b`).exec(name)?.[0]

export type ScenarioTest = { id: string; file: string }

export const findScenarioTests = (): ScenarioTest[] =>
  globSync(['src/**/*.test.ts', 'tests/**/*{.test,-tests}.ts'], { cwd: root }).flatMap((file) => scenarioTestsIn(file))

function scenarioTestsIn(file: string): ScenarioTest[] {
  const text = readFileSync(join(root, file), 'utf8')
  return [...text.matchAll(testName)].map(([, id]) => ({ id: id!, file }))
}

/** Returns the file to run: the tests of a `*-tests.ts` file run in the test file of its folder. */
export const testFileOf = (file: string): string =>
  file.endsWith('-tests.ts') ? globSync(`${dirname(file)}/*.test.ts`, { cwd: root })[0]! : file

/** Formats numbers as ranges, such as `1-4, 7`. */
export function formatRanges(numbers: number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last && last[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([from, to]) => (from === to ? String(from) : `${from}-${to}`)).join(', ')
}
