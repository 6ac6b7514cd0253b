import { failureWithoutFile, groupRunner, isFailure, type Outcome, type Outcomes } from '../outcomes/outcomes.ts'

/** More failed files are a defect of the code; fewer can be the effect of a machine that was busy for some minutes. */
const maxRerunFiles = 20

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

/**
 * Removes the failure of the runner itself, which its last hook reports, if a file of the same process has failed: servers that a failed
 * test left open cannot be closed, and the file runs again with its own hook. Without a failed file it is final.
 */
export function attributeRunnerFailure(tests: readonly Outcome[]): Outcome[] {
  const others = tests.filter((test) => !isOfRunner(test))
  const ofRunner = tests.find((test) => isOfRunner(test) && isFailure(test))
  return ofRunner && !others.some(isFailure) ? [...others, failureWithoutFile(ofRunner.name, ofRunner.reason)] : others
}

const isOfRunner = ({ name, file }: Outcome) => file === groupRunner && name.endsWith(groupRunner)
