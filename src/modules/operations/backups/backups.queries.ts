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

export async function markBackupFailed(
  tx: TenantTx,
  { id, startedBefore, error, now }: { id: string; startedBefore?: Date; error: string; now: Date },
): Promise<void> {
  let failed = tx
    .updateTable('operations.backups')
    .set({ state: 'failed', error, finished_at: now, expires_at: now })
    .where('state', 'in', ['queued', 'running'])
    .where('id', '=', id)
  if (startedBefore) failed = failed.where('created_at', '<', startedBefore)
  await failed.execute()
}

type Kept = { ordinary: number; beforeDeletion: number; beforeDeletionSince: Date }

/**
 * Marks the archives that are no longer kept as expired and returns them; their content is to be deleted. Archives written
 * before a deletion are counted apart, because later backups of the empty workspace do not replace them.
 */
export async function expireBackups(
  tx: TenantTx,
  { ordinary, beforeDeletion, beforeDeletionSince }: Kept,
  now: Date,
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    with ranked as (
      select id, created_at, kind in ('pre_clean', 'pre_delete') as is_before_deletion,
        row_number() over (partition by kind in ('pre_clean', 'pre_delete') order by id desc) as place
      from operations.backups where state = 'succeeded')
    update operations.backups set state = 'expired', expires_at = ${now}
    where id = any (array(select id from ranked where case when is_before_deletion
      then place > ${beforeDeletion}::integer or created_at < ${beforeDeletionSince}
      else place > ${ordinary}::integer end))
    returning id
  `.execute(tx)
  return rows.map(({ id }) => id)
}
