import { daysLater } from '#platform/clock'
import { type AppError, conflict } from '#platform/errors'
import type { ListedImport } from '../import-mapping/import.schemas.ts'
import type { RowResult } from './import-rows.queries.ts'
import type { ImportRecord, ImportState } from './imports.queries.ts'
import type { UndoableRow } from './undo-rows.queries.ts'

export const importDays = 30
export const undoDays = 7
export const maxRows = 200_000
export const batchSize = 500

const earlyRows = 1_000
const maxFailureShare = 0.5

export type Counts = { created: number; updated: number; skipped: number; failed: number; warnings: number }
export const noCounts: Counts = { created: 0, updated: 0, skipped: 0, failed: 0, warnings: 0 }

/** A wrong mapping or delimiter makes most rows fail, and the others probably wrong. */
export function findEarlyFailure({ done, counts }: { done: number; counts: Counts }): AppError | undefined {
  if (done !== earlyRows || counts.failed <= earlyRows * maxFailureShare) return undefined
  return conflict(
    'too_many_failures',
    `The import was stopped, because ${counts.failed} of the first 1,000 rows failed. Correct the mapping or the file.`,
  )
}

type Step = 'mapped' | 'checked' | 'run' | 'cancelled' | 'undone'

export function assertState({ state }: ImportRecord, allowed: readonly ImportState[], to: Step): void {
  if (allowed.includes(state)) return
  const message = `An import with the state \`${state}\` cannot be ${to}. ${describeRemedy(state, to)}`
  throw conflict('invalid_transition', message, { from: state, to })
}

function describeRemedy(state: ImportState, to: Step): string {
  if (to === 'cancelled') return 'Only a check, a run or an undo in progress can be cancelled.'
  if (['uploading', 'checking', 'running', 'undoing'].includes(state)) return 'Wait until it has ended, or cancel it.'
  if (state === 'uploaded' && to !== 'undone')
    return 'Send the mapping first (`PUT …/mapping`); `suggested_mapping` can be sent as it is.'
  return to === 'undone' ? 'There is nothing to undo.' : 'Upload the file again as a new import.'
}

/** The outcomes of the last run are lost with a new mapping, and an undo needs those of written rows. */
export function assertMappable(row: ImportRecord): void {
  assertState(row, ['uploaded', 'mapped', 'failed', 'cancelled', 'undone'], 'mapped')
  const written = row.created_count + row.updated_count - row.undone_count - row.kept_count
  if (row.state === 'undone' || written <= 0) return
  const message = 'The import has written records. Undo it first (`POST …/undo`).'
  throw conflict('invalid_transition', message, { from: row.state, to: 'mapped' })
}

export const undoableStates: readonly ImportState[] = ['completed', 'failed', 'cancelled']

export function assertUndoable(row: ImportRecord, now: Date): void {
  assertState(row, undoableStates, 'undone')
  if (row.finished_at && daysLater(row.finished_at, undoDays) <= now)
    throw conflict('undo_expired', `An import can be undone within ${undoDays} days.`)
}

export function toListedImport(row: ImportRecord): ListedImport {
  const { id, object_type, filename, row_count, done_rows, failure, task_id, created_by } = row
  const { created_at, started_at, finished_at, checked } = row
  return {
    id,
    object_type,
    state: row.state as ListedImport['state'],
    filename,
    encoding: row.encoding ?? '',
    delimiter: row.delimiter ?? '',
    row_count,
    done_rows,
    created: row.created_count,
    updated: row.updated_count,
    skipped: row.skipped_count,
    failed: row.failed_count,
    warnings: row.warning_count,
    undone: row.undone_count,
    kept: row.kept_count,
    dry_run: checked && { ...checked, finished_at: new Date(checked.finished_at) },
    failure,
    task_id,
    created_by,
    created_at,
    started_at,
    finished_at,
  }
}

export const toCountColumns = ({ created, updated, skipped, failed, warnings }: Counts) => ({
  created_count: created,
  updated_count: updated,
  skipped_count: skipped,
  failed_count: failed,
  warning_count: warnings,
})

export const nounOf = { lead: 'leads', contact: 'contacts' } as const

export const toResult = (row_no: number, outcome: RowResult['outcome'], rest: Partial<RowResult> = {}): RowResult => ({
  row_no,
  outcome,
  match_hash: null,
  record_id: null,
  record_version: null,
  errors: null,
  warnings: null,
  before: null,
  ...rest,
})

export function addResults(counts: Counts, results: readonly RowResult[]): Counts {
  const count = (outcome: string) => results.filter((result) => result.outcome === outcome).length
  return {
    created: counts.created + count('created'),
    updated: counts.updated + count('updated'),
    skipped: counts.skipped + count('skipped'),
    failed: counts.failed + count('failed'),
    warnings: counts.warnings + results.filter(({ warnings }) => warnings !== null).length,
  }
}

/** `before` has the oldest values of the changed fields, null if the rows changed none. */
export type RecordUndo = { id: string; isCreated: boolean; before: Record<string, unknown> | null }

/** Joins the rows of each record, which are in descending order, so that a record is written once. */
export function groupByRecord(rows: readonly UndoableRow[]): RecordUndo[] {
  return [...Map.groupBy(rows, ({ record_id }) => record_id)].map(([id, ofRecord]) => {
    const former = ofRecord.flatMap(({ before }) => before ?? [])
    return {
      id,
      isCreated: ofRecord.some(({ outcome }) => outcome === 'created'),
      before: former.length ? Object.assign({}, ...former) : null,
    }
  })
}
