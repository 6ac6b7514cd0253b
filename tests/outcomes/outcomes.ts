import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { TestEvent } from 'node:test/reporters'
import { stampOf } from './stamp.ts'

export type Outcome = { name: string; file: string; hasPassed: boolean; why: string }

/** What a run of tests has shown. */
export type Outcomes = {
  tests: Outcome[]
  /** What tests said of themselves. */
  told: { file: string; message: string }[]
  /** How long each file took. */
  files: { file: string; seconds: number }[]
}

export const nothing = (): Outcomes => ({ tests: [], told: [], files: [] })

const leftOut = 'is left out'

/** A test that is left out has not passed. */
export function note(outcomes: Outcomes, { type, data }: TestEvent, root: string): void {
  const file = data && 'file' in data && data.file ? relative(root, data.file) : ''
  if (type === 'test:pass') {
    const why = (data.skip ?? data.todo) ? leftOut : ''
    outcomes.tests.push({ name: data.name, file, hasPassed: !why, why })
  } else if (type === 'test:fail') {
    const { error } = data.details
    outcomes.tests.push({ name: data.name, file, hasPassed: false, why: firstLine(error.cause ?? error) })
  } else if (type === 'test:diagnostic' && file) outcomes.told.push({ file, message: data.message })
  else if (type === 'test:summary' && file) outcomes.files.push({ file, seconds: data.duration_ms / 1_000 })
}

const firstLine = (error: unknown) => String(error).split('\n')[0] || 'failed'

const placeIn = (root: string) => join(root, 'tmp/test-outcomes.json')

export const forgetOutcomes = (root: string): void => rmSync(placeIn(root), { force: true })

/** Kept for the very code the run began with; if that has changed meanwhile, nobody knows what was tested. */
export function keepOutcomes(root: string, stamp: string | undefined, outcomes: Outcomes): void {
  if (stamp === undefined || stampOf(root) !== stamp) return
  const place = placeIn(root)
  mkdirSync(dirname(place), { recursive: true })
  writeFileSync(`${place}.new`, JSON.stringify({ stamp, ...outcomes }))
  renameSync(`${place}.new`, place)
}

/** What is known of this very code. Nothing, if something failed or was interrupted: who knows what else did not run. */
export function knownOutcomes(root: string): Outcomes | undefined {
  const kept = readOutcomes(root)
  if (!kept?.tests?.every(({ hasPassed, why }) => hasPassed || why === leftOut)) return undefined
  return kept.stamp !== undefined && kept.stamp === stampOf(root) ? kept : undefined
}

/** Of the last run, whatever the code was. */
export function readOutcomes(root: string): (Outcomes & { stamp?: string }) | undefined {
  try {
    return JSON.parse(readFileSync(placeIn(root), 'utf8'))
  } catch {
    return undefined
  }
}
