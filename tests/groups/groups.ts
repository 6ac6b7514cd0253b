import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Task } from './lanes.ts'

export type TestProcess = { name: string; files: string[] } & Pick<Task, 'lane' | 'seconds'>

/** Test files that need a process to themselves, because they stop, measure or instrument the process they run in. */
const ownProcess = [
  'src/platform/files/large-file.test.ts',
  'src/platform/jobs/',
  'src/platform/telemetry/',
  'tests/big/',
  'tests/faults/',
  'tests/fuzz/',
  'tests/hostile/',
  'tests/matrix/',
  'tests/outcomes/',
  'tests/pages/',
  'tests/races/',
  'tests/soaks/',
]

/** Test files that wait for other processes, timeouts or a browser most of the time. */
const waiting = ['src/platform/jobs/', 'tests/faults/', 'tests/pages/', 'tests/soaks/']

const filesPerProcess = 52

/** Duration of a file that is not among the saved ones. */
const usualSeconds = 2

/**
 * Splits the test files into processes. Importing the application and compiling its code takes longer than most test files,
 * so files share a process, and in it an application and a database, unless they need one to themselves.
 */
export function groupTestFiles(files: readonly string[], saved: Record<string, number> = {}): TestProcess[] {
  const shared = files.filter((file) => !startsWithAny(file, ownProcess))
  const count = Math.ceil(shared.length / filesPerProcess)
  const size = Math.ceil(shared.length / Math.max(count, 1))
  const groups = Array.from({ length: count }, (_, n) => shared.slice(n * size, (n + 1) * size))
  const alone = files.filter((file) => startsWithAny(file, ownProcess)).map((file) => [file])
  return [...groups, ...alone].map((group, n) => ({
    name: String(n + 1).padStart(2, '0'),
    files: group,
    lane: group.every((file) => startsWithAny(file, waiting)) ? 'waiting' : 'busy',
    seconds: group.reduce((sum, file) => sum + (saved[file] ?? usualSeconds), 0),
  }))
}

const startsWithAny = (file: string, prefixes: readonly string[]) => prefixes.some((prefix) => file.startsWith(prefix))

export const listTestFiles = (root: string): string[] =>
  globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root }).sort()

const savedSecondsPath = 'tests/groups/seconds.json'

/** Returns the durations of the longest files in an earlier run, which are part of the repository. */
export const readSavedSeconds = (root: string): Record<string, number> =>
  JSON.parse(readFileSync(join(root, savedSecondsPath), 'utf8'))
