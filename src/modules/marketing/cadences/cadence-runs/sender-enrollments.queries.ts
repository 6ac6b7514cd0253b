import { type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { isLive } from '../cadence-records/enrollments.queries.ts'

export type SenderEnrollments = {
  /** Null for enrollments whose sender was erased. */
  senderId: string | null
  cadenceId?: string
  status: 'live' | 'active' | 'sender_deactivated'
}

const conditions = {
  live: isLive,
  active: sql<SqlBool>`status = 'active'`,
  sender_deactivated: sql<SqlBool>`status = 'paused' and paused_reason = 'sender_deactivated'`,
}

export async function listEnrollmentIdsOfSender(
  tx: TenantTx,
  { senderId, cadenceId, status }: SenderEnrollments,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await tx
    .selectFrom('marketing.cadence_enrollments')
    .select('id')
    .where('sender_id', senderId === null ? 'is' : '=', senderId)
    .$if(cadenceId !== undefined, (query) => query.where('cadence_id', '=', cadenceId!))
    .where(conditions[status])
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(({ id }) => id)
}

export async function updateSender(tx: TenantTx, ids: readonly string[], senderId: string): Promise<void> {
  await tx
    .updateTable('marketing.cadence_enrollments')
    .set({ sender_id: senderId })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('id')
    .execute()
}

export async function updateTaskUsers(
  tx: TenantTx,
  runs: readonly { id: string; task_user_id: string }[],
): Promise<void> {
  if (!runs.length) return
  await sql`
    update marketing.cadence_step_runs run set task_user_id = task.task_user_id
    from json_to_recordset(${JSON.stringify(runs)}::json) as task (id uuid, task_user_id uuid)
    where run.id = task.id and run.id = any(${runs.map(({ id }) => id)}::uuid[])
    returning run.id
  `.execute(tx)
}

/** For locked runs: deletes the text that a sender wrote. */
export async function deleteWrittenEmails(tx: TenantTx, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await tx
    .updateTable('marketing.cadence_step_runs')
    .set({ subject: null, body: null })
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .returning('id')
    .execute()
}
