import { findUserNames, resolveTaskRequester } from '#modules/identity'
import type { UserActor } from '#platform/access'
import { recordAudit } from '#platform/audit'
import { daysLater } from '#platform/clock'
import { writeCsv } from '#platform/csv'
import { inSnapshot, inTenant, type SnapshotTx, streamRows, type TenantTx } from '#platform/db'
import { conflict, roleRequired } from '#platform/errors'
import type { JobHandler } from '#platform/jobs'
import type { Services } from '#platform/module'
import { emit, subscribe } from '#platform/outbox'
import { defineTaskHandler, type TaskContext, taskCancelled, taskFailed } from '#platform/tasks'
import { exportCompleted } from '../../crm.events.ts'
import { selectMatchingIds } from '../../lookup/record-rules/matching-records.queries.ts'
import { parseRecordRule, readRuleContext } from '../../lookup/record-rules/parse-record-rule.service.ts'
import { exportDays } from './create-export.service.ts'
import { exportTask } from './export-task.ts'
import { recordExportPurpose } from './exports.purposes.ts'
import {
  completeExport,
  type ExportedRow,
  type ExportRow,
  failExportOfTask,
  findExport,
  selectExportedRecords,
} from './exports.queries.ts'
import { downloadUrlOf, toCsvRow, toExportedValues, toJsonLine } from './exports.rules.ts'
import { selectListedIds } from './list-query.service.ts'

type ExportServices = Pick<Services, 'clock' | 'db' | 'files' | 'registry'>
type RunningExport = { row: ExportRow; actor: UserActor; context: TaskContext; services: ExportServices; rows: number }

/** Writes the records of one snapshot to a file, however many there are. */
export const exportRecordsHandler = (services: ExportServices): JobHandler =>
  defineTaskHandler(exportTask, async (context, { export_id, by }) => {
    const { clock, db } = services
    const row = await context.inTenant((tx) => findExport(tx, export_id))
    if (row?.state !== 'running') throw deletedExport()
    const actor = await context.inTenant((tx) =>
      resolveTaskRequester(tx, by, { scopes: [`${row.object_type}s.read`], now: clock.now() }),
    )
    if (!['manager', 'admin'].includes(actor.role)) throw roleRequired('Only managers and admins can export records.')
    const running: RunningExport = { row, actor, context, services, rows: 0 }
    try {
      await inSnapshot(db, actor, (tx) => storeExport(tx, running), { signal: context.signal })
    } catch (error) {
      if (await context.isCancelled()) return null
      throw error
    }
    return { export_id, rows: running.rows, download_url: downloadUrlOf(row) }
  })

function storeExport(tx: SnapshotTx, running: RunningExport): Promise<void> {
  const { row, actor, context, services } = running
  const { clock, db, files } = services
  const job = {
    tenantId: context.tenantId,
    inTenant: <T>(work: (saving: TenantTx) => Promise<T>) => inTenant(db, actor, work, 'job'),
  }
  const isCsv = row.format === 'csv'
  return files.store(job, {
    purpose: recordExportPurpose.name,
    filename: `${row.object_type}s.${row.format}`,
    type: row.format,
    chunks: isCsv ? writeCsv(readCells(tx, running), { hasBom: true }) : readLines(tx, running),
    deleteAfter: daysLater(clock.now(), exportDays),
    save: (saving, { id }) => saveExport(saving, running, id),
  })
}

async function saveExport(tx: TenantTx, { row, rows, services }: RunningExport, fileId: string): Promise<void> {
  const { id, object_type, format, filter, query } = row
  const expires_at = daysLater(services.clock.now(), exportDays)
  if (!(await completeExport(tx, id, { file_id: fileId, row_count: rows, expires_at }))) throw deletedExport()
  const label = `${object_type}s.${format}`
  await recordAudit(tx, 'export.completed', { id, label, after: { object_type, filter, query, row_count: rows } })
  await emit(tx, exportCompleted, { id }, { object_type, format, row_count: rows })
}

/** A person was erased since the export was started, and the file would contain the person. */
const deletedExport = () =>
  conflict('conflict', 'The export was ended, because the data of a person was erased. Start it again.')

async function* readCells(tx: SnapshotTx, running: RunningExport) {
  const { columns } = running.row
  yield columns
  for await (const values of readRecords(tx, running)) yield toCsvRow(values, columns)
}

async function* readLines(tx: SnapshotTx, running: RunningExport) {
  for await (const values of readRecords(tx, running)) yield toJsonLine(values, running.row.columns)
}

async function* readRecords(tx: SnapshotTx, running: RunningExport) {
  const { row, context } = running
  const matching = await selectMatches(tx, running)
  for await (const records of streamRows<ExportedRow>(tx, selectExportedRecords(row.object_type, matching))) {
    if (await context.isCancelled()) throw new Error('The export was cancelled.')
    const owners = await findUserNames(
      tx,
      records.flatMap(({ owner_id }) => owner_id ?? []),
    )
    for (const record of records) yield toExportedValues(record, owners)
    running.rows += records.length
    context.reportProgress(running.rows)
  }
}

async function selectMatches(tx: SnapshotTx, running: RunningExport) {
  const { row, actor, services } = running
  return [
    ...(row.filter ? [await selectMatchesOfRule(tx, running)] : []),
    ...(row.query ? [(await selectListedIds(tx, actor, row.object_type, row.query, services)).ids] : []),
  ]
}

async function selectMatchesOfRule(tx: SnapshotTx, { row, actor, services }: RunningExport) {
  const rule = await parseRecordRule(tx, row.object_type, row.filter, services, {
    at: { in: 'body', path: '/filter' },
  })
  const context = await readRuleContext(tx, services.clock.now(), actor.userId)
  return (await selectMatchingIds(tx, [rule], context))[0]
}

export const onExportTaskEnded = subscribe(
  [taskFailed, taskCancelled],
  'crm.fail_exports',
  async (tx, { subject: { id }, data, isTruncated }) => {
    if (isTruncated || data.kind === exportTask.kind) await failExportOfTask(tx, id)
  },
)
