import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/**
 * Every column that names a contact. What hangs on a contact follows it when it is merged; a test finds columns that are missing
 * here. Modules above this one subscribe to contact.merged in its transaction.
 */
export const contactReferences = [
  'crm.activities.contact_id',
  'crm.contacts.merged_into_id',
  'crm.leads.converted_contact_id',
  'crm.lifecycle_events.contact_id',
  'crm.opportunities.primary_contact_id',
  'crm.opportunity_contacts.contact_id',
] as const

/** Hangs everything that hung on these contacts on another one. Where it has its own already, its own stays. */
export async function moveChildren(tx: TenantTx, fromIds: readonly string[], toId: string): Promise<void> {
  await leaveDealsShared(tx, fromIds, toId)
  for (const reference of contactReferences) {
    const [schema, table, column] = reference.split('.')
    const target = sql.ref(column!)
    await sql`
      update ${sql.table(`${schema}.${table}`)} set ${target} = ${toId}::uuid where ${target} = any (${fromIds}::uuid[])
    `.execute(tx)
  }
}

/** In a deal somebody has one role: that of who stays, else the oldest of the others. */
async function leaveDealsShared(tx: TenantTx, fromIds: readonly string[], toId: string): Promise<void> {
  await sql`
    delete from crm.opportunity_contacts spare where contact_id = any (${fromIds}::uuid[]) and exists (
      select from crm.opportunity_contacts kept
      where kept.opportunity_id = spare.opportunity_id and (
        kept.contact_id = ${toId}
        or (kept.contact_id = any (${fromIds}::uuid[]) and (kept.created_at, kept.contact_id) < (spare.created_at, spare.contact_id))))
  `.execute(tx)
}
