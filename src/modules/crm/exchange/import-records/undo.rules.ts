import type { UndoableRow } from './undo-rows.queries.ts'

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
