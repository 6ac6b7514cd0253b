import { sql } from 'kysely'
import type { ListRecordsWithSentEmails } from '#modules/crm'
import type { TenantTx } from '#platform/db'

/** `to_key` is null after the erasure of the person. */
export type StoredEmail = {
  id: string
  state: string
  to_key: string | null
  lead_id: string | null
  contact_id: string | null
  sent_at: Date | null
  replied_at: Date | null
  subject: string | null
}

export async function listEmailsById(tx: TenantTx, ids: readonly string[]): Promise<Map<string, StoredEmail>> {
  const rows = await tx
    .selectFrom('crm.email_messages')
    .select(['id', 'state', 'to_key', 'lead_id', 'contact_id', 'sent_at', 'replied_at', 'subject'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

export type EmailToAddress = { id: string; to_key: string; sent_at: Date | null }

/** Emails of a kind that were sent to these addresses (in lower case), that may have been, or that are being sent. */
export async function listEmailsSentTo(
  tx: TenantTx,
  kind: string,
  addresses: readonly string[],
): Promise<EmailToAddress[]> {
  if (!addresses.length) return []
  const rows = await tx
    .selectFrom('crm.email_messages')
    .select(['id', 'to_key', 'sent_at'])
    .where('to_key', '=', sql<string>`any(${addresses}::text[])`)
    .where('kind', '=', kind)
    .where('state', 'in', ['claimed', 'sent', 'uncertain'])
    .execute()
  return rows as EmailToAddress[]
}

type NewEmailEventRow = {
  id: string
  external_id: string
  kind: string
  bounce_type: string | null
  email_message_id: string | null
  received_at: Date
}

export async function insertEmailEvent(tx: TenantTx, event: NewEmailEventRow): Promise<boolean> {
  const inserted = await tx
    .insertInto('crm.email_events')
    .values(event)
    .onConflict((conflict) => conflict.columns(['tenant_id', 'external_id']).doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function findMessageIdOfEvent(tx: TenantTx, externalId: string): Promise<string | null> {
  const event = await tx
    .selectFrom('crm.email_events')
    .select('email_message_id')
    .where('external_id', '=', externalId)
    .executeTakeFirst()
  return event?.email_message_id ?? null
}

export const listRecordsWithSentEmails: ListRecordsWithSentEmails = async (tx, objectType, ids) => {
  const { rows } = await sql<{ id: string }>`
    select record.id from unnest(${ids}::uuid[]) as record (id)
    where exists (select from crm.email_messages email
      where email.${sql.ref(`${objectType}_id`)} = record.id and email.sent_at is not null)
  `.execute(tx)
  return rows.map(({ id }) => id)
}
