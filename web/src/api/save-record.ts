import { type FieldConflict, type Fields, mergeFields } from './merge-fields.ts'
import { isProblem } from './problem.ts'

export type SavedRecord<R> =
  | { kind: 'saved'; record: R }
  | { kind: 'conflict'; record: R; conflicts: readonly FieldConflict[] }

/**
 * Sends the changed fields with the version they are based on. If the record has changed since, fields that only
 * this user changed are sent again on the new version, and the others are returned as conflicts.
 */
export async function saveRecord<R extends { version: number }>({
  version,
  base,
  changes,
  fieldsOf,
  send,
  reload,
}: {
  version: number
  base: Fields
  changes: Fields
  fieldsOf: (record: R) => Fields
  send: (changes: Fields, version: number) => Promise<R>
  reload: () => Promise<R>
}): Promise<SavedRecord<R>> {
  try {
    return { kind: 'saved', record: await send(changes, version) }
  } catch (error) {
    if (!isProblem(error, 'version_mismatch')) throw error
    const current = await reload()
    const merged = mergeFields(base, changes, fieldsOf(current))
    if (merged.conflicts.length) return { kind: 'conflict', record: current, conflicts: merged.conflicts }
    const isSame = Object.keys(merged.changes).length === 0
    return { kind: 'saved', record: isSame ? current : await send(merged.changes, current.version) }
  }
}
