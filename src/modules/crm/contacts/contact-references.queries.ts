import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Columns of this module that reference a contact, in the global lock order. Other modules subscribe to `contact.merged`. */
export const contactReferences = [
  'crm.leads.converted_contact_id',
  'crm.opportunities.primary_contact_id',
  'crm.opportunity_contacts.contact_id',
  'crm.contacts.merged_into_id',
  'crm.activities.contact_id',
  'crm.lifecycle_events.contact_id',
] as const

export async function repointReferences(tx: TenantTx, fromIds: readonly string[], toId: string): Promise<void> {
  await deleteDuplicateDealContacts(tx, fromIds, toId)
  for (const reference of contactReferences) {
    const [schema, tableName, column] = reference.split('.')
    const [table, target] = [sql.table(`${schema}.${tableName}`), sql.ref(column!)]
    const isReferring = sql`${target} = any (${fromIds}::uuid[])`
    if (tableName === 'opportunity_contacts')
      await sql`update ${table} set ${target} = ${toId}::uuid where ${isReferring}`.execute(tx)
    else
      await sql`
        update ${table} set ${target} = ${toId}::uuid
        where id = any (array(select id from ${table} where ${isReferring} order by id for no key update)) returning id
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
