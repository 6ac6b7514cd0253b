import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** Facts that decide whether a person is enrolled, and by whom. */
export type EnrollablePerson = {
  id: string
  kind: 'lead' | 'contact'
  lead_status: string | null
  email_key: string | null
  owner_id: string | null
  processing_restricted: boolean
}

/** Leaves out unknown and deleted records. */
export async function listEnrollablePersons(
  tx: TenantTx,
  { leadIds, contactIds }: { leadIds: readonly string[]; contactIds: readonly string[] },
): Promise<EnrollablePerson[]> {
  const [leads, contacts] = await Promise.all([
    tx
      .selectFrom('crm.leads')
      .select(['id', 'status as lead_status', 'email_key', 'owner_id', 'processing_restricted'])
      .where('id', '=', sql<string>`any(${leadIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
    tx
      .selectFrom('crm.contacts')
      .select(['id', 'email_key', 'owner_id', 'processing_restricted'])
      .where('id', '=', sql<string>`any(${contactIds}::uuid[])`)
      .where('deleted_at', 'is', null)
      .execute(),
  ])
  return [
    ...leads.map((lead) => ({ ...lead, kind: 'lead' as const })),
    ...contacts.map((contact) => ({ ...contact, kind: 'contact' as const, lead_status: null })),
  ]
}
