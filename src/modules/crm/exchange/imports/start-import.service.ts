import { toTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import type { TenantTx } from '#platform/db'
import type { Services } from '#platform/module'
import { emit } from '#platform/outbox'
import { cancelTaskOfRecord, startTask } from '#platform/tasks'
import { importStarted } from '../../crm.events.ts'
import type { ListedImport, StartedImport } from '../import-mapping/import.schemas.ts'
import type { ImportedType } from '../import-mapping/import-fields.rules.ts'
import { findImport, updateImportRow } from '../import-records/imports.queries.ts'
import {
  assertState,
  assertUndoable,
  noCounts,
  nounOf,
  toCountColumns,
  toListedImport,
} from '../import-records/imports.rules.ts'
import { endImport } from './end-import.service.ts'
import { lockVisibleImport } from './get-import.service.ts'
import { importTask, undoImportTask } from './import-target.ts'
import { assertValidMapping } from './update-mapping.service.ts'

type StartServices = Pick<Services, 'clock' | 'registry'>

export async function startImport(
  tx: TenantTx,
  actor: UserActor,
  objectType: ImportedType,
  id: string,
  { dry_run }: { dry_run: boolean },
  services: StartServices,
): Promise<StartedImport> {
  const row = await lockVisibleImport(tx, actor, objectType, id)
  assertState(row, ['mapped'], dry_run ? 'checked' : 'run')
  await assertValidMapping(tx, actor, row, { mapping: row.mapping!, options: row.options! }, services)
  await updateImportRow(tx, id, {
    state: dry_run ? 'checking' : 'running',
    run_no: row.run_no + 1,
    done_rows: 0,
    ...toCountColumns(noCounts),
    ...(dry_run ? { checked: null } : { started_at: services.clock.now() }),
  })
  const title = `${dry_run ? 'Check' : 'Import'} ${row.row_count} ${nounOf[objectType]}`
  const input = { import_id: id, by: toTaskRequester(actor) }
  const task = await startTask(tx, importTask, input, { title, total: row.row_count, resource: { type: 'import', id } })
  await updateImportRow(tx, id, { task_id: task.task_id })
  if (!dry_run) {
    await recordAudit(tx, 'import.started', { id, after: { object_type: objectType, row_count: row.row_count } })
    await emit(tx, importStarted, { id }, { object_type: objectType, row_count: row.row_count })
  }
  return { ...task, import_id: id }
}

/** Rows that are done stay. */
export async function cancelImport(
  tx: TenantTx,
  actor: UserActor,
  objectType: ImportedType,
  id: string,
  services: Pick<Services, 'clock'>,
): Promise<ListedImport> {
  const row = await lockVisibleImport(tx, actor, objectType, id)
  assertState(row, ['checking', 'running', 'undoing'], 'cancelled')
  const hasEnded = await cancelTaskOfRecord(tx, row.task_id!)
  if (hasEnded) await endImport(tx, row, { end: 'cancelled' }, services)
  return toListedImport((await findImport(tx, id))!)
}

export async function undoImport(
  tx: TenantTx,
  actor: UserActor,
  objectType: ImportedType,
  id: string,
  { clock }: Pick<Services, 'clock'>,
): Promise<StartedImport> {
  const row = await lockVisibleImport(tx, actor, objectType, id)
  assertUndoable(row, clock.now())
  await updateImportRow(tx, id, { state: 'undoing', state_before_undo: row.state })
  const total = row.created_count + row.updated_count - row.undone_count - row.kept_count
  const input = { import_id: id, by: toTaskRequester(actor) }
  const title = `Undo the import of ${row.row_count} ${nounOf[objectType]}`
  const task = await startTask(tx, undoImportTask, input, { title, total, resource: { type: 'import', id } })
  await updateImportRow(tx, id, { task_id: task.task_id })
  await recordAudit(tx, 'import.undo_started', { id, after: { object_type: objectType } })
  return { ...task, import_id: id }
}
