import { readSettings } from '#modules/identity'
import { daysLater } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { expireBackups } from './backups.queries.ts'

/** Archives written before a deletion are its only undo, so they have limits of their own. */
export const keptBeforeDeletion = { count: 5, days: 90 }

/** Returns the backups whose archives are to be deleted. */
export async function expireOldBackups(tx: TenantTx, now: Date): Promise<string[]> {
  const { backup_keep } = await readSettings(tx, 'retention')
  const { count, days } = keptBeforeDeletion
  const kept = { ordinary: backup_keep, beforeDeletion: count, beforeDeletionSince: daysLater(now, -days) }
  return await expireBackups(tx, kept, now)
}
