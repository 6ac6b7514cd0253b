import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import type { FileUsage } from '../groups/file-meter.ts'
import { calculateCodeHash } from './code-hash.ts'

export type Outcome = { name: string; file: string; hasPassed: boolean; reason: string }

export type Outcomes = {
  tests: Outcome[]
  diagnostics: { file: string; message: string }[]
  files: { file: string; seconds: number }[]
  usage: FileUsage[]
}

export const emptyOutcomes = (): Outcomes => ({ tests: [], diagnostics: [], files: [], usage: [] })

const skipped = 'skipped'

/** Adds the result of a test event. A skipped test has not passed. */
export function recordEvent(outcomes: Outcomes, { type, data }: TestEvent, root: string): void {
  const file = data && 'file' in data && data.file ? relative(root, data.file) : ''
  if (file === groupRunner && (type === 'test:pass' || type === 'test:fail'))
    outcomes.files.push({ file: data.name, seconds: data.details.duration_ms / 1_000 })
  if (type === 'test:pass' && file !== groupRunner) {
    const reason = (data.skip ?? data.todo) ? skipped : ''
    outcomes.tests.push({ name: data.name, file, hasPassed: !reason, reason })
  } else if (type === 'test:fail') {
    const { error } = data.details
    outcomes.tests.push({ name: data.name, file, hasPassed: false, reason: firstLine(error.cause ?? error) })
  } else if (type === 'test:diagnostic' && file) outcomes.diagnostics.push({ file, message: data.message })
  else if (type === 'test:summary' && file && file !== groupRunner)
    outcomes.files.push({ file, seconds: data.duration_ms / 1_000 })
}

/** Reports one test per file for the files that share a process. */
export const groupRunner = 'tests/groups/run-files.ts'

export const isFailure = ({ hasPassed, reason }: Outcome): boolean => !hasPassed && reason !== skipped

/** Belongs to no file that could run again, so it is final. */
export const failureWithoutFile = (name: string, reason: string): Outcome => ({
  name,
  file: '',
  hasPassed: false,
  reason,
})

const firstLine = (error: unknown) => String(error).split('\n')[0] || 'failed'

const outcomesPath = (root: string) => join(root, 'tmp/test-outcomes.json')

/** Runs tests and saves their outcomes. An aborted run leaves none. */
export async function recordOutcomes(root: string, run: () => Promise<Outcomes>): Promise<Outcomes> {
  rmSync(outcomesPath(root), { force: true })
  const codeHash = calculateCodeHash(root)
  const outcomes = await run()
  saveOutcomes(root, codeHash, outcomes)
  return outcomes
}

/** Saves nothing if the code has changed since the run started, because it is unknown which version was tested. */
function saveOutcomes(root: string, codeHash: string | undefined, outcomes: Outcomes): void {
  if (codeHash === undefined || calculateCodeHash(root) !== codeHash) return
  const path = outcomesPath(root)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(`${path}.new`, JSON.stringify({ codeHash, ...outcomes }))
  renameSync(`${path}.new`, path)
}

/** Returns the outcomes of the last run if it was complete, without failures, and on the current code. */
export function findValidOutcomes(root: string): Outcomes | undefined {
  const saved = readOutcomes(root)
  if (!saved?.tests || saved.tests.some(isFailure)) return undefined
  return saved.codeHash !== undefined && saved.codeHash === calculateCodeHash(root) ? saved : undefined
}

/** Returns the outcomes of the last run, even if the code has changed since. */
export function readOutcomes(root: string): (Outcomes & { codeHash?: string }) | undefined {
  try {
    return JSON.parse(readFileSync(outcomesPath(root), 'utf8'))
  } catch {
    return undefined
  }
}
