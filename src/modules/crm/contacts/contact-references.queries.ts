import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** All columns of this module that reference a contact (a test finds missing ones). Other modules subscribe to `contact.merged`. */
export const contactReferences = [
  'crm.activities.contact_id',
  'crm.contacts.merged_into_id',
  'crm.leads.converted_contact_id',
  'crm.lifecycle_events.contact_id',
  'crm.opportunities.primary_contact_id',
  'crm.opportunity_contacts.contact_id',
] as const

export async function repointReferences(tx: TenantTx, fromIds: readonly string[], toId: string): Promise<void> {
  await deleteDuplicateDealContacts(tx, fromIds, toId)
  for (const reference of contactReferences) {
    const [schema, table, column] = reference.split('.')
    const target = sql.ref(column!)
    await sql`
      update ${sql.table(`${schema}.${table}`)} set ${target} = ${toId}::uuid where ${target} = any (${fromIds}::uuid[])
    `.execute(tx)
  }
}

/** A contact has one role per deal: keeps the role of the surviving contact, else the oldest one. */
async function deleteDuplicateDealContacts(tx: TenantTx, fromIds: readonly string[], toId: string): Promise<void> {
  await sql`
    delete from crm.opportunity_contacts duplicate where contact_id = any (${fromIds}::uuid[]) and exists (
      select from crm.opportunity_contacts kept
      where kept.opportunity_id = duplicate.opportunity_id and (
        kept.contact_id = ${toId}
        or (kept.contact_id = any (${fromIds}::uuid[]) and (kept.created_at, kept.contact_id) < (duplicate.created_at, duplicate.contact_id))))
  `.execute(tx)
}
