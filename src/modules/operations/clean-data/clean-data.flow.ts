import { clearForeignKey, countTenantRows, deleteTenantRows, listForeignKeys, planDeletion } from '#modules/identity'
import { AppError, conflict, unavailable } from '#platform/errors'
import { deleteFileBatch } from '#platform/files'
import { unparkJobs } from '#platform/jobs'
import type { Services, Tables } from '#platform/module'
import type { TaskContext } from '#platform/tasks'
import { getBackup } from '../backups/backups.queries.ts'
import { runBackup } from '../backups/run-backup.flow.ts'
import { abandonCleaning, type CleaningResult, finishCleaning } from './clean-data.service.ts'

const rowsPerTransaction = 5_000
const filesPerBatch = 100
/** Deleting leads adds rows to tables of counters, so a second round always follows the first. */
const maxRounds = 10

export type CleaningProgress = CleaningResult & { is_finished?: true }
type CleaningTask = TaskContext<CleaningProgress>
type CleaningPayload = { backup_id: string | null; keep_configuration: boolean }

/** Backs up the workspace and then deletes its data in batches. After a crash it continues with the next batch. */
export async function cleanData(services: Services, task: CleaningTask, payload: CleaningPayload) {
  try {
    const progress = await deleteAllData(services, task, payload)
    if (progress.is_finished) task.reportProgress(countDeleted(progress), countDeleted(progress))
    else await task.inTenant(abandonCleaning)
    await resumeJobs(services, task)
    const { is_finished: _, ...result } = progress
    return result
  } catch (error) {
    if (error instanceof AppError && error.status < 500) {
      await task.inTenant(abandonCleaning)
      await resumeJobs(services, task)
    }
    throw error
  }
}

async function deleteAllData(
  services: Services,
  task: CleaningTask,
  { backup_id, keep_configuration }: CleaningPayload,
): Promise<CleaningProgress> {
  const empty: CleaningProgress = { backup_id, tables: {}, files: 0 }
  let progress = task.checkpoint.value ?? empty
  if (progress.is_finished) return progress
  if (backup_id) await ensureBackup(services, task, backup_id)

  const names = listTablesToClean(services.registry.tables, keep_configuration)
  const { order, clear } = planDeletion(names, await task.inTenant(listForeignKeys))
  for (const key of clear)
    while (!(await task.isCancelled()))
      if ((await task.inTenant((tx) => clearForeignKey(tx, key, rowsPerTransaction))) === 0) break

  progress = { ...progress, tables: { ...Object.fromEntries(order.map((name) => [name, 0])), ...progress.tables } }
  const total = countDeleted(progress) + (await countRemaining(task, [...order, 'platform.files']))
  const report = () => task.reportProgress(countDeleted(progress), Math.max(total, countDeleted(progress)))
  for (let round = 1, deleted = -1; deleted !== 0; round++) {
    if (round > maxRounds) throw unavailable('The workspace is still being written to.')
    deleted = 0
    for (const table of order)
      for (let count = rowsPerTransaction; count >= rowsPerTransaction; ) {
        if (await task.isCancelled()) return progress
        const batch = await deleteRows(task, progress, table)
        ;({ count } = batch)
        progress = batch.progress
        deleted += count
        report()
      }
  }
  for (let count = filesPerBatch; count === filesPerBatch; ) {
    if (await task.isCancelled()) return progress
    count = await deleteFiles(services, task, progress)
    progress = { ...progress, files: progress.files + count }
    report()
  }
  return await task.inTenant(async (tx) => {
    const finished: CleaningProgress = { ...progress, is_finished: true }
    await finishCleaning(tx, progress)
    await task.checkpoint.save(tx, finished)
    return finished
  })
}

const countDeleted = ({ tables, files }: CleaningProgress): number =>
  Object.values(tables).reduce((sum, count) => sum + count, files)

async function countRemaining({ inTenant }: CleaningTask, tables: readonly string[]): Promise<number> {
  let count = 0
  for (const table of tables) count += await inTenant((tx) => countTenantRows(tx, table))
  return count
}

const listTablesToClean = (tables: Tables, keepsConfiguration: boolean): string[] =>
  Object.entries(tables)
    .filter(([name, { clean }]) => name !== 'platform.files' && isCleaned(clean, keepsConfiguration))
    .map(([name]) => name)
    .toSorted()

const isCleaned = (clean: string, keepsConfiguration: boolean): boolean =>
  clean === 'business' || (clean === 'configuration' && !keepsConfiguration)

/** Checks the stored state, because the backup may have finished in an earlier run of the task. */
async function ensureBackup(services: Services, task: CleaningTask, backupId: string): Promise<void> {
  // A second attempt would leave the workspace in maintenance for longer.
  await runBackup(services, { ...task, isLastAttempt: true }, backupId)
  const { state } = await task.inTenant((tx) => getBackup(tx, backupId))
  if (state !== 'succeeded') throw conflict('conflict', 'The backup failed, so no data was deleted.')
}

function deleteRows(task: CleaningTask, progress: CleaningProgress, table: string) {
  return task.inTenant(async (tx) => {
    const count = await deleteTenantRows(tx, table, rowsPerTransaction)
    if (!count) return { count, progress }
    const next = { ...progress, tables: { ...progress.tables, [table]: progress.tables[table]! + count } }
    await task.checkpoint.save(tx, next)
    return { count, progress: next }
  })
}

async function deleteFiles({ storage, registry }: Services, task: CleaningTask, progress: CleaningProgress) {
  const kept = registry.filePurposes.filter(({ clean }) => clean === 'never').map(({ name }) => name)
  return await deleteFileBatch({ storage }, task, {
    keptPurposes: kept,
    limit: filesPerBatch,
    save: (tx, count) => task.checkpoint.save(tx, { ...progress, files: progress.files + count }),
  })
}

async function resumeJobs({ jobQueue, log }: Services, { tenantId }: CleaningTask): Promise<void> {
  await unparkJobs(jobQueue, tenantId).catch((err) => log.warn({ err, tenant_id: tenantId }, 'jobs remain parked'))
}
