import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** A null key matches nothing. */
export type MatchKeys = { id: string; email_key: string | null; name_key: string | null; company_key: string | null }

export type DuplicateRow = {
  entity_type: 'lead' | 'contact'
  id: string
  name: string | null
  email: string | null
  company: string | null
  owner_id: string | null
  created_at: Date
  by_email: boolean
}

const maxDuplicates = 50

export async function listDuplicateRows(
  tx: TenantTx,
  { id, email_key, name_key, company_key }: MatchKeys,
): Promise<DuplicateRow[]> {
  const hasSameName = sql`name_key = ${name_key}::text and company_key = ${company_key}::text`
  const duplicates = sql<DuplicateRow>`(
      select distinct on (entity_type, id) entity_type, id, name, email, company, owner_id, created_at, by_email from (
      select 'lead' as entity_type, id, name, email, company, owner_id, created_at, true as by_email
        from crm.leads where deleted_at is null and id <> ${id} and email_key = ${email_key}::text
      union all
      select 'lead', id, name, email, company, owner_id, created_at, false
        from crm.leads where deleted_at is null and id <> ${id} and ${hasSameName}
      union all
      select 'contact', id, name, email, account_name, owner_id, created_at, true
        from crm.contacts where deleted_at is null and id <> ${id} and email_key = ${email_key}::text
      union all
      select 'contact', contact.id, contact.name, contact.email, account.name, contact.owner_id, contact.created_at, false
        from crm.contacts contact join crm.accounts account on account.id = contact.account_id
        where contact.deleted_at is null and contact.id <> ${id} and contact.name_key = ${name_key}::text
          and account.deleted_at is null and account.name_key = ${company_key}::text
      ) as matches order by entity_type, id, by_email desc)`
  return await tx
    .selectFrom(duplicates.as('duplicate'))
    .select(['entity_type', 'id', 'name', 'email', 'company', 'owner_id', 'created_at', 'by_email'])
    .orderBy('by_email', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(maxDuplicates)
    .execute()
}
