import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type ContactRow, contactColumns } from '../contacts/contacts.queries.ts'

type StaleNameFilter = { accountId: string; name: string | null; limit: number }

/** Locks contacts whose copy of the account name differs from `name` (null for a deleted account), ordered by id. */
export function lockContactsWithStaleAccountName(
  tx: TenantTx,
  { accountId, name, limit }: StaleNameFilter,
): Promise<ContactRow[]> {
  return tx
    .selectFrom('crm.contacts')
    .select(contactColumns)
    .where('account_id', '=', accountId)
    .where('account_name', 'is distinct from', name)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
}

type ContactNameUpdate = { ids: string[]; texts: string[]; name: string | null }

export async function updateContactAccountNames(tx: TenantTx, { ids, texts, name }: ContactNameUpdate): Promise<void> {
  await sql`
    update crm.contacts set account_name = ${name}, search_text = renamed.text
    from unnest(${ids}::uuid[], ${texts}::text[]) as renamed (id, text) where crm.contacts.id = renamed.id
  `.execute(tx)
}

export function lockCustomerContacts(tx: TenantTx, accountId: string, limit: number): Promise<ContactRow[]> {
  return tx
    .selectFrom('crm.contacts')
    .select(contactColumns)
    .where('account_id', '=', accountId)
    .where('lifecycle_stage', '=', 'customer')
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .limit(limit)
    .forNoKeyUpdate()
    .execute()
}
