import { readSettings } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { findOpenTask } from '#platform/tasks'
import { restoreBackupTask } from './backup-task.ts'
import { expireBackups } from './backups.queries.ts'

/** Archives written before a deletion are its only undo, so they have limits of their own. */
const keptBeforeDeletion = { count: 5, days: 90 }

/** Returns the backups whose archives are to be deleted. While a restore reads one of them, all are kept. */
export async function expireOldBackups(tx: TenantTx, now: Date): Promise<string[]> {
  if (await findOpenTask(tx, restoreBackupTask)) return []
  const { backup_keep } = await readSettings(tx, 'retention')
  const { count, days } = keptBeforeDeletion
  const kept = { ordinary: backup_keep, beforeDeletion: count, beforeDeletionSince: daysLater(now, -days) }
  return await expireBackups(tx, kept, now)
}
