import { type Insertable, type Selectable, sql } from 'kysely'
import { containsAnyText, type Database, selectRows, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import type { FormerValues } from './bulk.rules.ts'
import type { BulkKind } from './bulk-kind.ts'

export type BulkChange = { record_id: string; version: number; before: FormerValues }

export type BulkActionRow = Pick<Selectable<Database['crm.bulk_actions']>, 'action' | 'undo_task_id'>

type NewBulkAction = Pick<Insertable<Database['crm.bulk_actions']>, 'task_id' | 'action'>

export async function insertBulkAction(tx: TenantTx, action: NewBulkAction): Promise<void> {
  await tx.insertInto('crm.bulk_actions').values(action).execute()
}

export function lockBulkAction(tx: TenantTx, taskId: string): Promise<BulkActionRow | undefined> {
  return tx
    .selectFrom('crm.bulk_actions')
    .select(['action', 'undo_task_id'])
    .where('task_id', '=', taskId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateUndoTask(tx: TenantTx, taskId: string, undoTaskId: string): Promise<void> {
  await tx.updateTable('crm.bulk_actions').set({ undo_task_id: undoTaskId }).where('task_id', '=', taskId).execute()
}

/** Inserts nothing if the action is not stored any more, because its workspace was emptied while the task ran. */
export async function insertBulkChanges(
  tx: TenantTx,
  { idField }: BulkKind,
  taskId: string,
  changes: readonly BulkChange[],
): Promise<void> {
  if (!changes.length) return
  const { rows } = selectRows(changes, { record_id: 'uuid', version: 'integer', before: 'jsonb' })
  await sql`
    insert into crm.bulk_changes (task_id, ${sql.ref(idField)}, version, before)
    select ${taskId}::uuid, changed.record_id, changed.version, changed.before from (${rows}) as changed
    where exists (select from crm.bulk_actions where task_id = ${taskId}::uuid)
  `.execute(tx)
}

export function listBulkChanges(tx: TenantTx, taskId: string, limit: number): Promise<BulkChange[]> {
  return tx
    .selectFrom('crm.bulk_changes')
    .select(['record_id', 'version', 'before'])
    .where('task_id', '=', taskId)
    .orderBy('record_id')
    .limit(limit)
    .$castTo<BulkChange>()
    .execute()
}

export async function countBulkChanges(tx: TenantTx, taskId: string): Promise<number> {
  const { changes } = await tx
    .selectFrom('crm.bulk_changes')
    .select(({ fn }) => fn.countAll<number>().as('changes'))
    .where('task_id', '=', taskId)
    .executeTakeFirstOrThrow()
  return changes
}

export async function deleteBulkChanges(tx: TenantTx, taskId: string, recordIds: readonly string[]): Promise<void> {
  await tx
    .deleteFrom('crm.bulk_changes')
    .where('task_id', '=', taskId)
    .where('record_id', '=', sql<string>`any(${recordIds}::uuid[])`)
    .execute()
}

const rowsPerScan = 5_000

export type ChangePosition = { taskId: string; recordId: string }

/** Reads a bounded number of rows and deletes those that are about the person. Returns where to continue. */
export async function eraseBulkChanges(
  tx: TenantTx,
  recordIds: readonly string[],
  mentions: readonly string[],
  after: ChangePosition = { taskId: nilUuid, recordId: nilUuid },
): Promise<{ erased: number; next: ChangePosition | null }> {
  const { rows } = await sql<{ erased: number; task_id: string | null; record_id: string | null }>`
    with scanned as materialized (
      select task_id, record_id, before::text as text from crm.bulk_changes
      where (task_id, record_id) > (${after.taskId}::uuid, ${after.recordId}::uuid)
      order by task_id, record_id limit ${sql.lit(rowsPerScan)}
    ), erased as (
      delete from crm.bulk_changes change using scanned
      where change.task_id = scanned.task_id and change.record_id = scanned.record_id
        and (scanned.record_id = any (${recordIds}::uuid[]) or ${containsAnyText(sql`scanned.text`, mentions)})
      returning 1
    ), last as (
      select task_id, record_id from scanned order by task_id desc, record_id desc
      limit case when (select count(*) from scanned) = ${sql.lit(rowsPerScan)} then 1 else 0 end
    )
    select (select count(*)::integer from erased) as erased, last.task_id, last.record_id
    from (select 1) as one left join last on true
  `.execute(tx)
  const { erased, task_id, record_id } = rows[0]!
  return { erased, next: task_id === null ? null : { taskId: task_id, recordId: record_id! } }
}
