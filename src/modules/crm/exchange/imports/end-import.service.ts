import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { AppError } from '#platform/errors'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { importCancelled, importCompleted, importFailed, importUndone } from '../../crm.events.ts'
import { type ImportRecord, updateImportInState } from '../import-records/imports.queries.ts'
import type { Counts } from '../import-records/imports.rules.ts'
import { notifyImportEnded } from './import-notifications.ts'

export type ImportEnd =
  | { end: 'completed'; counts?: Counts }
  | { end: 'cancelled' }
  | { end: 'failed'; error: Pick<AppError, 'code' | 'message'> }

type EndedImport = Pick<ImportRecord, 'id' | 'state' | 'state_before_undo'>

/** Ends the check, run or undo that the import is in. Does nothing if it has ended already. */
export async function endImport(
  tx: TenantTx,
  row: EndedImport,
  ended: ImportEnd,
  { clock }: Pick<Services, 'clock'>,
): Promise<void> {
  const { id, state } = row
  const now = clock.now()
  if (state === 'checking') {
    const checked = ended.end === 'completed' ? { checked: JSON.stringify({ ...ended.counts, finished_at: now }) } : {}
    await updateImportInState(tx, id, ['checking'], { state: 'mapped', ...checked })
  } else if (state === 'undoing') await endUndo(tx, row, ended)
  else if (state === 'running') await endRun(tx, id, ended, now)
}

async function endRun(tx: TenantTx, id: string, ended: ImportEnd, finished_at: Date): Promise<void> {
  const failure = ended.end === 'failed' ? { code: ended.error.code, message: ended.error.message } : null
  const row = await updateImportInState(tx, id, ['running'], {
    state: ended.end,
    finished_at,
    failure: failure && JSON.stringify(failure),
  })
  if (!row) return
  const counts = countsOf(row)
  await recordAudit(tx, `import.${ended.end}`, { id, after: { object_type: row.object_type, ...counts } })
  const data = { object_type: row.object_type, ...counts }
  if (ended.end === 'completed') await emit(tx, importCompleted, { id }, data)
  else if (ended.end === 'cancelled') await emit(tx, importCancelled, { id }, data)
  else await emit(tx, importFailed, { id }, data)
  if (ended.end !== 'cancelled') await notifyImportEnded(tx, row)
}

const countsOf = (row: ImportRecord) => ({
  created: row.created_count,
  updated: row.updated_count,
  skipped: row.skipped_count,
  failed: row.failed_count,
})

/** An undo that was not completed can be started again. */
async function endUndo(tx: TenantTx, { id, state_before_undo }: EndedImport, { end }: ImportEnd): Promise<void> {
  const state = end === 'completed' ? 'undone' : (state_before_undo ?? 'completed')
  const row = await updateImportInState(tx, id, ['undoing'], { state })
  if (!row || end !== 'completed') return
  const counts = { undone: row.undone_count, kept: row.kept_count }
  await recordAudit(tx, 'import.undone', { id, after: { object_type: row.object_type, ...counts } })
  await emit(tx, importUndone, { id }, { object_type: row.object_type, ...counts })
  await notifyImportEnded(tx, row)
}
