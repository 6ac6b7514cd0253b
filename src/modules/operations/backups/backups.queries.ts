import { type Selectable, sql } from 'kysely'
import type { Database, TenantTx } from '#platform/db'
import { notFound } from '#platform/errors'

const columns = [
  'id',
  'kind',
  'state',
  'include_files',
  'created_at',
  'finished_at',
  'verified_at',
  'expires_at',
  'size_bytes',
  'sha256',
  'row_counts',
  'error',
] as const

export type BackupRow = Pick<Selectable<Database['operations.backups']>, (typeof columns)[number]>
export type NewBackupRow = Pick<BackupRow, 'id' | 'kind' | 'include_files' | 'created_at'> & {
  requested_by: string | null
}

/** Returns false if another backup of the workspace has not finished. */
export async function insertBackup(tx: TenantTx, backup: NewBackupRow): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('operations.backups')
    .values(backup)
    .onConflict((existing) => existing.doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

export function listBackups(tx: TenantTx, limit: number): Promise<BackupRow[]> {
  return tx.selectFrom('operations.backups').select(columns).orderBy('id', 'desc').limit(limit).execute()
}

export function listBackupsById(tx: TenantTx, ids: readonly string[]): Promise<BackupRow[]> {
  return tx
    .selectFrom('operations.backups')
    .select(columns)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export function findOpenBackup(tx: TenantTx): Promise<{ id: string } | undefined> {
  return tx.selectFrom('operations.backups').select('id').where('state', 'in', ['queued', 'running']).executeTakeFirst()
}

export function getBackup(tx: TenantTx, id: string): Promise<BackupRow> {
  return tx
    .selectFrom('operations.backups')
    .select(columns)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(() => notFound('backup'))
}

/** Returns the backup unless it has finished. A second start continues the work of a worker that has died. */
export function startBackupRow(tx: TenantTx, id: string, now: Date): Promise<BackupRow | undefined> {
  return tx
    .updateTable('operations.backups')
    .set({ state: 'running', started_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['queued', 'running'])
    .returning(columns)
    .executeTakeFirst()
}

type Archive = { size_bytes: number; sha256: Buffer; row_counts: object; schema_version: string }

export async function markBackupSucceeded(tx: TenantTx, id: string, archive: Archive, now: Date): Promise<void> {
  await tx
    .updateTable('operations.backups')
    .set({
      ...archive,
      row_counts: JSON.stringify(archive.row_counts),
      state: 'succeeded',
      finished_at: now,
      verified_at: now,
    })
    .where('id', '=', id)
    .execute()
}

export async function markBackupsFailed(
  tx: TenantTx,
  { id, startedBefore, error, now }: { id?: string; startedBefore?: Date; error: string; now: Date },
): Promise<void> {
  let failed = tx
    .updateTable('operations.backups')
    .set({ state: 'failed', error, finished_at: now, expires_at: now })
    .where('state', 'in', ['queued', 'running'])
  if (id) failed = failed.where('id', '=', id)
  if (startedBefore) failed = failed.where('created_at', '<', startedBefore)
  await failed.execute()
}

/** Marks all archives but the newest as expired and returns them; their content is to be deleted. */
export async function expireBackups(tx: TenantTx, keep: number, now: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    update operations.backups set state = 'expired', expires_at = ${now}
    where id = any(array(select id from operations.backups where state = 'succeeded' order by id desc offset ${keep}::integer))
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}
