import { runTaskBatches } from '#modules/identity'
import type { Scope, UserActor } from '#platform/access'
import { systemClock } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { AppError, conflict } from '#platform/errors'
import type { JobHandler } from '#platform/jobs'
import { subscribe } from '#platform/outbox'
import { defineTaskHandler, findTask, type TaskContext, taskCancelled, taskFailed } from '#platform/tasks'
import { type ImportProgress, importBatch } from '../import-records/import-batch.service.ts'
import type { ImportServices } from '../import-records/import-kinds.ts'
import { listImportedIds } from '../import-records/import-rows.queries.ts'
import { findImport, findImportOfTask, type ImportRecord } from '../import-records/imports.queries.ts'
import { findEarlyFailure, noCounts } from '../import-records/imports.rules.ts'
import { type UndoProgress, undoBatch } from '../import-records/undo-batch.service.ts'
import { endImport } from './end-import.service.ts'
import { type ImportInput, type ImportTarget, importTargetPoint, importTask, undoImportTask } from './import-target.ts'

async function findRunningImport(context: Pick<TaskContext, 'inTenant'>, id: string): Promise<ImportRecord> {
  const row = await context.inTenant((tx) => findImport(tx, id))
  if (!row) throw conflict('conflict', 'The import was deleted.')
  return row
}

const scopesFor = ({ object_type }: ImportRecord): Scope[] => [`${object_type}s.write`]

export const importRecordsHandler = (services: ImportServices): JobHandler =>
  defineTaskHandler<typeof ImportInput, ImportProgress>(importTask, async (context, { import_id, by }) => {
    const row = await findRunningImport(context, import_id)
    const target = row.options?.campaign_id && row.state === 'running' ? findTarget(services) : undefined
    const isComplete = ({ done, enrolled, position }: ImportProgress) =>
      done >= row.row_count && (!target || enrolled >= position)
    const { progress, error } = await watchFailure(context, (watched) =>
      runTaskBatches(watched, services, {
        requester: by,
        origin: 'import',
        scopes: [...scopesFor(row), ...(target ? [target.scope] : [])],
        start: { position: 0, done: 0, enrolled: 0, counts: noCounts },
        isComplete,
        countDone: ({ done }) => done,
        async runBatch(tx, actor, progress) {
          if (target && progress.enrolled < progress.position)
            return await enroll(tx, actor, row, target, progress, services)
          const failure = row.state === 'running' && findEarlyFailure(progress)
          if (failure) throw failure
          return await importBatch(tx, actor, import_id, progress, services)
        },
      }),
    )
    const { counts } = progress
    const ended = isComplete(progress)
      ? ({ end: 'completed', counts } as const)
      : error
        ? ({ end: 'failed', error } as const)
        : ({ end: 'cancelled' } as const)
    await context.inTenant((tx) => endImport(tx, row, ended, services))
    return { import_id, ...counts }
  })

/** Returns the client error that ends a task, of which `runTaskBatches` returns only the progress. */
async function watchFailure<Progress>(
  context: TaskContext<Progress>,
  run: (watched: TaskContext<Progress>) => Promise<Progress>,
): Promise<{ progress: Progress; error: AppError | undefined }> {
  let error: AppError | undefined
  const progress = await run({
    ...context,
    failWith(thrown) {
      if (thrown instanceof AppError) error = thrown
      return context.failWith(thrown)
    },
  })
  return { progress, error }
}

const findTarget = ({ registry }: ImportServices): ImportTarget | undefined =>
  registry.extensionsOf(importTargetPoint).find(({ type }) => type === 'campaign')

async function enroll(
  tx: TenantTx,
  actor: UserActor,
  row: ImportRecord,
  target: ImportTarget,
  progress: ImportProgress,
  services: ImportServices,
): Promise<ImportProgress> {
  const ids = await listImportedIds(tx, row, { after: progress.enrolled, upTo: progress.position })
  const records = { objectType: row.object_type, ids, now: services.clock.now() }
  if (ids.length) await target.add(tx, actor, row.options!.campaign_id!, records, services)
  return { ...progress, enrolled: progress.position }
}

export const undoImportHandler = (services: ImportServices): JobHandler =>
  defineTaskHandler<typeof ImportInput, UndoProgress>(undoImportTask, async (context, { import_id, by }) => {
    const row = await findRunningImport(context, import_id)
    const { progress, error } = await watchFailure(context, (watched) =>
      runTaskBatches(watched, services, {
        requester: by,
        scopes: [...scopesFor(row), `${row.object_type}s.delete`],
        start: {
          before: Number.MAX_SAFE_INTEGER,
          done: 0,
          undone: row.undone_count,
          kept: row.kept_count,
          isComplete: false,
        },
        isComplete: (progress) => progress.isComplete,
        countDone: ({ done }) => done,
        runBatch: (tx, actor, progress) => undoBatch(tx, actor, import_id, progress, services),
      }),
    )
    const end = progress.isComplete ? 'completed' : 'cancelled'
    await context.inTenant((tx) => endImport(tx, row, error ? { end: 'failed', error } : { end }, services))
    return { import_id, undone: progress.undone, kept: progress.kept }
  })

/** A task that was cancelled before it started, or whose worker died too often, has not ended its import. */
export const onImportTaskEnded = subscribe(
  [taskFailed, taskCancelled],
  'crm.end_imports',
  async (tx, { subject: { id }, type, data, isTruncated }) => {
    if (!isTruncated && ![importTask.kind, undoImportTask.kind].includes(data.kind)) return
    const row = await findImportOfTask(tx, id)
    if (!row) return
    const error = (await findTask(tx, id))?.status.error ?? { code: 'internal_error', message: 'The import failed.' }
    const ended = type === taskFailed.type ? ({ end: 'failed', error } as const) : ({ end: 'cancelled' } as const)
    await endImport(tx, row, ended, { clock: systemClock })
  },
)
