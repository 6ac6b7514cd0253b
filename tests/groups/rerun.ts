import { groupRunner, isFailure, type Outcome, type Outcomes } from '../outcomes/outcomes.ts'

const maxRerunFiles = 5

/** Returns the files to run again after a failed run: none if the failures are many or cannot be attributed to a file. */
export function listFailedFiles({ tests }: Pick<Outcomes, 'tests'>): string[] {
  const failed = new Set(tests.filter(isFailure).map(fileOf))
  return failed.has('') || failed.size > maxRerunFiles ? [] : [...failed].sort()
}

export function addOutcomes(all: Outcomes, more: Outcomes): void {
  all.tests.push(...more.tests)
  all.diagnostics.push(...more.diagnostics)
  all.files.push(...more.files)
  all.usage.push(...more.usage)
}

/** Replaces the outcomes of files that ran again. */
export function mergeOutcomes(first: Outcomes, second: Outcomes, files: readonly string[]): Outcomes {
  const isKept = (file: string) => !files.includes(file)
  return {
    tests: [...first.tests.filter((outcome) => isKept(fileOf(outcome))), ...second.tests],
    diagnostics: [...first.diagnostics.filter(({ file }) => isKept(file)), ...second.diagnostics],
    files: [...first.files.filter(({ file }) => isKept(file)), ...second.files],
    // The first run counts, because a file that runs alone starts its own application.
    usage: first.usage,
  }
}

/** Returns the file of a test. Files that share a process are reported as tests of the runner with the path as name. */
const fileOf = ({ name, file }: Outcome) => (file === groupRunner ? name : file)
