import { Type } from 'typebox'
import { findUserNames, getTenant, listActiveAdminIds, readSettings } from '#modules/identity'
import { recordAudit } from '#platform/audit'
import { daysLater, secondsLater } from '#platform/clock'
import { actorOf, type TenantTx } from '#platform/db'
import { AppError, conflict } from '#platform/errors'
import { newId } from '#platform/ids'
import { defineNotification, notify } from '#platform/notify'
import { strict } from '#platform/schema'
import { findOpenTask, startTask } from '#platform/tasks'
import {
  type BackupRow,
  expireBackups,
  findOpenBackup,
  getBackup,
  insertBackup,
  listBackups,
  markBackupFailed,
} from './backups.queries.ts'
import type { Backup, BackupStatus } from './backups.schemas.ts'
import { cleanDataTask, createBackupTask, restoreBackupTask } from './open-backup.ts'

const backupDownloaded = defineNotification('backup.downloaded', {
  description: 'a backup of the workspace was downloaded',
  payload: strict({ by: Type.String() }),
  text: ({ by }) => ({
    title: 'A backup of your workspace was downloaded',
    body: `${by} downloaded a backup, which contains all data of the workspace. If you did not expect this, end their sessions and change their password.`,
  }),
  channels: { in_app: true, email: true },
  canBeDisabled: false,
})

/** Includes the admin who downloaded it: the session may have been stolen. */
export async function announceDownload(tx: TenantTx, backupId: string): Promise<void> {
  const userId = actorOf(tx).userId!
  const by = (await findUserNames(tx, [userId])).get(userId) ?? 'A former user'
  for (const adminId of await listActiveAdminIds(tx))
    await notify(tx, adminId, backupDownloaded, { by }, { resource: { type: 'backup', id: backupId } })
}

const maxListed = 60
/** A backup that has not finished by then has lost its worker for good. */
const maxHours = 24

type BackupRequest = { kind: Backup['kind']; include_files: boolean; now: Date }

export async function prepareBackup(tx: TenantTx, { kind, include_files, now }: BackupRequest): Promise<string> {
  await failLostBackups(tx, now)
  const { userId } = actorOf(tx)
  const id = newId()
  if (!(await insertBackup(tx, { id, kind, include_files, requested_by: userId, created_at: now }))) {
    const open = await findOpenBackup(tx)
    throw conflict('conflict', `Backup ${open?.id ?? ''} has not finished yet. Wait until it has.`)
  }
  await recordAudit(tx, 'backup.created', { id, after: { kind, include_files } })
  return id
}

/** Fails a backup whose task was cancelled before its start or has lost its worker. It would block all others. */
export async function failLostBackups(tx: TenantTx, now: Date): Promise<void> {
  const open = await findOpenBackup(tx)
  if (!open) return
  const tasks = await Promise.all([findOpenTask(tx, createBackupTask), findOpenTask(tx, cleanDataTask)])
  const startedBefore = tasks.some(Boolean) ? secondsLater(now, -maxHours * 3_600) : undefined
  await markBackupFailed(tx, { id: open.id, startedBefore, error: 'The backup was interrupted.', now })
}

export async function createBackup(tx: TenantTx, request: BackupRequest) {
  const id = await prepareBackup(tx, request)
  const started = await startTask(
    tx,
    createBackupTask,
    { backup_id: id },
    { title: 'Back up the workspace', resource: { type: 'backup', id } },
  )
  return { ...started, backup_id: id }
}

export async function getBackupStatus(tx: TenantTx, nextRunAt: Date): Promise<BackupStatus> {
  const [items, { backup_keep }] = await Promise.all([listBackups(tx, maxListed), readSettings(tx, 'retention')])
  const lastOf = (states: string[]) => items.find(({ state }) => states.includes(state))?.finished_at ?? null
  return {
    schedule: { enabled: true, next_run_at: nextRunAt },
    last_success: lastOf(['succeeded', 'expired']),
    last_failure: lastOf(['failed']),
    retention: { keep: backup_keep },
    items: items.map(toBackup),
  }
}

export const toBackup = ({ kind, state, sha256, row_counts, ...row }: BackupRow): Backup => ({
  ...row,
  kind: kind as Backup['kind'],
  state: state as Backup['state'],
  sha256: sha256?.toString('hex') ?? null,
  row_counts: row_counts as Backup['row_counts'],
  download_url: state === 'succeeded' ? `/api/admin/backups/${row.id}/download` : null,
})

export async function getArchivedBackup(tx: TenantTx, id: string): Promise<BackupRow> {
  const backup = await getBackup(tx, id)
  if (backup.state === 'expired' || backup.state === 'failed')
    throw new AppError(410, 'link_expired', 'The archive of this backup no longer exists. Create a new backup.')
  if (backup.state !== 'succeeded')
    throw conflict('conflict', 'The backup has not finished yet. Try again when its state is `succeeded`.')
  return backup
}

export async function downloadBackup(tx: TenantTx, id: string) {
  const backup = await getArchivedBackup(tx, id)
  await recordAudit(tx, 'backup.downloaded', { id })
  await announceDownload(tx, id)
  const { slug } = await getTenant(tx)
  return { ...backup, sha256: backup.sha256!, size_bytes: backup.size_bytes!, slug }
}

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
