import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { erasedName } from './mentions.rules.ts'

const isErased = (personalKeys: readonly string[]) => sql`
  first_name = ${erasedName.first_name} and last_name = ${erasedName.last_name}
  and num_nonnulls(email, phone, phone_e164, title, department, linkedin_url, city, notes) = 0
  and not custom ?| ${personalKeys}::text[]`

export type ContactToErase = {
  id: string
  account_name: string | null
  custom: Record<string, unknown>
  tags: string[]
}

export async function lockContactsToErase(
  tx: TenantTx,
  ids: readonly string[],
  personalKeys: readonly string[],
  limit: number,
): Promise<ContactToErase[]> {
  const { rows } = await sql<ContactToErase>`
    select id, account_name, custom, tags from crm.contacts
    where id = any (${ids}::uuid[]) and not coalesce(${isErased(personalKeys)}, false)
    order by id limit ${sql.lit(limit)} for no key update
  `.execute(tx)
  return rows
}

export type ErasedContact = {
  id: string
  name_key: string | null
  search_text: string
  custom: object
  custom_text: string
}

export async function eraseContactRows(tx: TenantTx, contacts: readonly ErasedContact[]): Promise<void> {
  const { rows } = selectRows(contacts, {
    id: 'uuid',
    name_key: 'text',
    search_text: 'text',
    custom: 'jsonb',
    custom_text: 'text',
  })
  await sql`
    update crm.contacts contact set first_name = ${erasedName.first_name}, last_name = ${erasedName.last_name},
      name_key = erased.name_key, search_text = erased.search_text, custom = erased.custom, custom_text = erased.custom_text,
      email = null, phone = null, phone_e164 = null, title = null, department = null, linkedin_url = null, city = null,
      notes = null, email_status = 'unsubscribed', call_status = 'do_not_call', processing_restricted = true
    from (${rows}) as erased where contact.id = erased.id
  `.execute(tx)
}

export async function deleteContactDetails(tx: TenantTx, ids: readonly string[]): Promise<Record<string, number>> {
  const contactIds = sql`any (${ids}::uuid[])`
  const [events] = await Promise.all([
    sql`update crm.lifecycle_events set reason = null where contact_id = ${contactIds} and reason is not null`.execute(
      tx,
    ),
    sql`delete from crm.field_provenance where entity_type = 'contact' and entity_id = ${contactIds}`.execute(tx),
  ])
  return { 'crm.lifecycle_events': Number(events.numAffectedRows ?? 0) }
}

export async function lockContactsIncludingDeleted(tx: TenantTx, ids: readonly string[]): Promise<void> {
  await sql`select id from crm.contacts where id = any (${ids}::uuid[]) order by id for no key update`.execute(tx)
}
