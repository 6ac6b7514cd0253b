import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from './lanes.ts'

export type TestProcess = { name: string; files: string[] } & Pick<Task, 'lane' | 'seconds'>

/**
 * Files and folders that do not share a process with other ones, because they stop, measure or instrument it, or take long. A file
 * belongs to the first that fits.
 */
const ownProcesses = [
  ['src/platform/files/large-file.test.ts'],
  ['src/platform/telemetry/job-traces.test.ts'],
  ['tests/canary/', 'tests/fuzz/'],
  ['tests/faults/', 'tests/outreach/', 'tests/soaks/'],
  ['tests/hostile/'],
  ['tests/matrix/'],
  ['tests/pages/'],
  ['tests/plans/', 'tests/races/'],
  ['tests/web/market/'],
  ['tests/web/'],
]

/** Test files that wait for other processes, timeouts or a browser most of the time. They share processes among themselves. */
const waiting = ['src/platform/jobs/', 'tests/faults/', 'tests/pages/', 'tests/soaks/', 'tests/web/']

const filesPerProcess = 110

/** Files about query plans, which share a database. */
const isAboutPlans = (file: string) => /[./]plans\.test\.ts$/.test(file)

/** Duration of a file that is not among the saved ones. */
export const usualSeconds = 2

/**
 * Splits the test files into processes. Importing the application and compiling its code takes longer than most test files,
 * so files share a process, and in it an application and a database, unless they need one to themselves.
 */
export function groupTestFiles(files: readonly string[], saved: Record<string, number> = {}): TestProcess[] {
  const isAlone = (file: string) => startsWithAny(file, ownProcesses.flat())
  const isWaiting = (file: string) => startsWithAny(file, waiting)
  const others = files.filter((file) => !isAlone(file))
  const shared = [...others.filter((file) => !isAboutPlans(file)), ...others.filter(isAboutPlans)]
  const groups = [
    ...splitEvenly(shared.filter((file) => !isWaiting(file))),
    ...splitEvenly(shared.filter(isWaiting)),
    ...ownProcesses
      .map((own) => files.filter((file) => ownProcesses.find((paths) => startsWithAny(file, paths)) === own))
      .filter((group) => group.length > 0),
  ]
  return groups.map((group, n) => ({
    name: String(n + 1).padStart(2, '0'),
    files: group,
    lane: group.every(isWaiting) ? 'waiting' : 'busy',
    seconds: group.reduce((sum, file) => sum + (saved[file] ?? usualSeconds), 0),
  }))
}

function splitEvenly(files: readonly string[]): string[][] {
  const count = Math.ceil(files.length / filesPerProcess)
  const size = Math.ceil(files.length / Math.max(count, 1))
  return Array.from({ length: count }, (_, n) => files.slice(n * size, (n + 1) * size))
}

const startsWithAny = (file: string, prefixes: readonly string[]) => prefixes.some((prefix) => file.startsWith(prefix))

export const listTestFiles = (root: string): string[] =>
  globSync(['src/**/*.test.ts', 'tests/**/*.test.ts', 'web/src/**/*.test.ts'], { cwd: root }).sort()

const savedSecondsPath = 'tests/groups/seconds.json'

/** Returns the durations of the longest files in an earlier run, which are part of the repository. */
export const readSavedSeconds = (root: string): Record<string, number> =>
  JSON.parse(readFileSync(join(root, savedSecondsPath), 'utf8'))

/** A process with a long file that is not planned starts too late and is the last one of the run. */
const maxUnsavedSeconds = 20

export const listUnsavedFiles = (files: readonly { file: string; seconds: number }[], saved: Record<string, number>) =>
  files
    .filter(({ file, seconds }) => seconds > maxUnsavedSeconds && saved[file] === undefined)
    .map(({ file, seconds }) => `${file} took ${Math.round(seconds)} s. Run npm run slowest -- --save.`)
