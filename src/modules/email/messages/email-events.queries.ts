import type { TenantTx } from '#platform/db'

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
