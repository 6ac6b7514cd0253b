import { globSync } from 'node:fs'

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

const filesPerProcess = 18

/**
 * Splits the test files into processes. Importing the application and compiling its code takes longer than most test files,
 * so files share a process unless they need one to themselves.
 */
export function groupTestFiles(files: readonly string[]): { shared: string[][]; alone: string[] } {
  const isAlone = (file: string) => ownProcess.some((prefix) => file.startsWith(prefix))
  const rest = files.filter((file) => !isAlone(file))
  const count = Math.ceil(rest.length / filesPerProcess)
  const shared = Array.from({ length: count }, (_, n) => rest.slice(n * filesPerProcess, (n + 1) * filesPerProcess))
  return { shared, alone: files.filter(isAlone) }
}

export const listTestFiles = (root: string): string[] =>
  globSync(['src/**/*.test.ts', 'tests/**/*.test.ts'], { cwd: root }).sort()
