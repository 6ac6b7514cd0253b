import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type ContactRow, contactColumns } from '../contacts/contacts.queries.ts'

type Named = { accountId: string; name: string | null; limit: number }

/** Contacts that still have another name of their account, or one although it was deleted; locked, in the order of their ids. */
export function lockMisnamed(tx: TenantTx, { accountId, name, limit }: Named): Promise<ContactRow[]> {
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

type Texts = { ids: string[]; texts: string[]; name: string | null }

export async function renameInContacts(tx: TenantTx, { ids, texts, name }: Texts): Promise<void> {
  await sql`
    update crm.contacts set account_name = ${name}, search_text = renamed.text
    from unnest(${ids}::uuid[], ${texts}::text[]) as renamed (id, text) where crm.contacts.id = renamed.id
  `.execute(tx)
}

/** Its contacts that are customers, locked in the order of their ids. */
export function lockCustomersOf(tx: TenantTx, accountId: string, limit: number): Promise<ContactRow[]> {
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
