import { Type } from 'typebox'
import { filterActiveUserIds } from '#modules/identity'
import type { TenantTx } from '#platform/db'
import { defineNotification, notify } from '#platform/notify'
import { Id, strict } from '#platform/schema'
import type { ImportRecord } from '../import-records/imports.queries.ts'
import { nounOf } from '../import-records/imports.rules.ts'

const importEnded = defineNotification('import.ended', {
  description: 'an import you started has ended',
  payload: strict({
    import_id: Id,
    object_type: Type.Enum(['lead', 'contact']),
    state: Type.String(),
    changed: Type.Integer(),
    failed: Type.Integer(),
  }),
  text: ({ import_id, object_type, state, changed, failed }) => {
    const noun = nounOf[object_type]
    const path = `/imports/${noun}/${import_id}`
    if (state === 'undone')
      return {
        title: `The import of ${noun} was undone`,
        body: `${changed} rows were undone, ${failed} were kept.`,
        path,
      }
    const title = state === 'failed' ? `The import of ${noun} failed` : `The import of ${noun} is complete`
    return { title, body: `${changed} rows were imported, ${failed} failed.`, path }
  },
  channels: { in_app: true, email: false },
  canBeDisabled: true,
})

export async function notifyImportEnded(tx: TenantTx, row: ImportRecord): Promise<void> {
  const { id, object_type, state, created_by } = row
  if (!created_by || !(await filterActiveUserIds(tx, [created_by])).has(created_by)) return
  const counts =
    state === 'undone'
      ? { changed: row.undone_count, failed: row.kept_count }
      : { changed: row.created_count + row.updated_count, failed: row.failed_count }
  const payload = { import_id: id, object_type, state, ...counts }
  await notify(tx, created_by, importEnded, payload, { resource: { type: 'import', id } })
}
