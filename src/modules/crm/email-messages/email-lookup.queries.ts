import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type StoredEmail = { id: string; state: string; sent_at: Date | null; subject: string | null }

export async function listEmailsById(tx: TenantTx, ids: readonly string[]): Promise<Map<string, StoredEmail>> {
  const rows = await tx
    .selectFrom('crm.email_messages')
    .select(['id', 'state', 'sent_at', 'subject'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}
