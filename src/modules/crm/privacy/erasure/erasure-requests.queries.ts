import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Database, TenantTx } from '#platform/db'

type ErasureRequests = Database['crm.erasure_requests']

const columns = [
  'id',
  'subject_hash',
  'record_type',
  'record_id',
  'keep_suppression',
  'state',
  'counts',
  'lead_ids',
  'contact_ids',
  'subject_kid',
  'subject_ciphertext',
  'task_id',
  'started_at',
  'finished_at',
] as const
export type ErasureRequestRow = Pick<Selectable<ErasureRequests>, (typeof columns)[number]>

export function lockOpenErasureRequest(tx: TenantTx, subjectHash: Buffer, recordId: string) {
  return tx
    .selectFrom('crm.erasure_requests')
    .select(columns)
    .where('state', '<>', sql.lit('completed'))
    .where((where) =>
      where.or([
        where('subject_hash', '=', subjectHash),
        where('record_id', '=', recordId),
        sql<boolean>`${recordId}::uuid = any (lead_ids || contact_ids)`,
      ]),
    )
    .orderBy('id')
    .limit(1)
    .forUpdate()
    .executeTakeFirst()
}

export async function insertErasureRequest(tx: TenantTx, request: Insertable<ErasureRequests>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('crm.erasure_requests')
    .values(request)
    .onConflict((conflict) =>
      conflict.columns(['tenant_id', 'subject_hash']).where('state', '<>', sql.lit('completed')).doNothing(),
    )
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export function getErasureRequest(tx: TenantTx, id: string): Promise<ErasureRequestRow> {
  return tx.selectFrom('crm.erasure_requests').select(columns).where('id', '=', id).executeTakeFirstOrThrow()
}

export function listErasuresCompletedSince(tx: TenantTx, since: Date): Promise<ErasureRequestRow[]> {
  return tx
    .selectFrom('crm.erasure_requests')
    .select(columns)
    .where('state', '=', 'completed')
    .where('finished_at', '>=', since)
    .orderBy('id')
    .execute()
}

export async function updateErasureRequestRow(tx: TenantTx, id: string, fields: Updateable<ErasureRequests>) {
  await tx.updateTable('crm.erasure_requests').set(fields).where('id', '=', id).execute()
}

export async function addErasureCounts(tx: TenantTx, id: string, counts: Record<string, number>): Promise<void> {
  const changed = Object.entries(counts).filter(([, count]) => count > 0)
  if (!changed.length) return
  await sql`
    update crm.erasure_requests request set counts = counts || (
      select jsonb_object_agg(added.key, added.value::integer + coalesce((request.counts ->> added.key)::integer, 0))
      from jsonb_each_text(${JSON.stringify(Object.fromEntries(changed))}::jsonb) as added)
    where id = ${id}
  `.execute(tx)
}

export async function failErasureRequest(tx: TenantTx, taskId: string): Promise<void> {
  await tx
    .updateTable('crm.erasure_requests')
    .set({ state: 'failed', finished_at: sql`now()` })
    .where('task_id', '=', taskId)
    .where('state', 'in', ['queued', 'running'])
    .execute()
}

export async function deleteSuppressions(tx: TenantTx, subjectHashes: readonly Buffer[]): Promise<void> {
  await tx
    .deleteFrom('crm.suppressions')
    .where('subject_hash', '=', sql<Buffer>`any(${subjectHashes}::bytea[])`)
    .execute()
}
