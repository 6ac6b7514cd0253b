import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type RemindedInvitation = {
  id: string
  email: string
  name: string | null
  lead_id: string | null
  contact_id: string | null
}

type ReminderBatch = { number: number; after: string; now: Date; limit: number }

export async function listDueReminderIds(
  tx: TenantTx,
  distributionId: string,
  { number, after, now, limit }: ReminderBatch,
): Promise<string[]> {
  const withStatus = (status: 'sent' | 'partial') => sql`(
    select id from surveys.invitations
    where distribution_id = ${distributionId}::uuid and status = ${sql.lit(status)} and id > ${after}::uuid
      and email is not null and expires_at > ${now}::timestamptz and reminders_sent < ${number}::smallint
    order by id limit ${limit}::integer)`
  const due = sql<{
    id: string
  }>`(${withStatus('sent')} union all ${withStatus('partial')} order by id limit ${limit}::integer)`
  const rows = await tx.selectFrom(due.as('due')).select('due.id').orderBy('due.id').execute()
  return rows.map(({ id }) => id)
}

/** Counts the reminder in the transaction that queues its email, so that a job that runs twice sends it once. */
export async function markReminded(
  tx: TenantTx,
  ids: readonly string[],
  number: number,
): Promise<RemindedInvitation[]> {
  const { rows } = await sql<RemindedInvitation>`
    update surveys.invitations set reminders_sent = ${number}::smallint
    where id = any (${ids}::uuid[]) and status in ('sent', 'partial') and reminders_sent < ${number}::smallint
    returning id, email, name, lead_id, contact_id
  `.execute(tx)
  return rows
}
