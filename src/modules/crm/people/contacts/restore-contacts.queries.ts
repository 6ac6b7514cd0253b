import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { type ContactRow, contactColumns } from './contacts.queries.ts'

/** Email keys and accounts of contacts, deleted ones too. */
export async function listContactReferences(
  tx: TenantTx,
  ids: readonly string[],
): Promise<{ emailKeys: string[]; accountIds: string[] }> {
  const contacts = await tx
    .selectFrom('crm.contacts')
    .select(['email_key', 'account_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return {
    emailKeys: contacts.flatMap(({ email_key }) => email_key ?? []),
    accountIds: [...new Set(contacts.flatMap(({ account_id }) => account_id ?? []))],
  }
}

type RestoredContact = Pick<
  ContactRow,
  'id' | 'account_name' | 'email_status' | 'call_status' | 'processing_restricted'
> & { search_text: string }

/** Restores deleted contacts with the derived values that changed while they were deleted. */
export async function restoreContactRows(
  tx: TenantTx,
  contacts: readonly RestoredContact[],
): Promise<Map<string, ContactRow>> {
  const { rows: values } = selectRows(contacts, {
    id: 'uuid',
    account_name: 'text',
    search_text: 'text',
    email_status: 'text',
    call_status: 'text',
    processing_restricted: 'boolean',
  })
  const { rows } = await sql<ContactRow>`
    update crm.contacts contact
    set deleted_at = null, deleted_by = null, account_name = restored.account_name, search_text = restored.search_text,
      email_status = restored.email_status, call_status = restored.call_status,
      processing_restricted = restored.processing_restricted
    from (${values}) as restored
    where contact.id = restored.id
    returning ${sql.join(contactColumns.map((column) => sql.ref(`contact.${column}`)))}
  `.execute(tx)
  return new Map(rows.map((contact) => [contact.id, contact]))
}
