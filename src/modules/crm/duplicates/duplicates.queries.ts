import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** By what somebody is recognised. Without a key nothing is compared. */
export type Recognised = { id: string; email_key: string | null; name_key: string | null; company_key: string | null }

export type Twin = {
  entity_type: 'lead' | 'contact'
  id: string
  name: string | null
  email: string | null
  company: string | null
  owner_id: string | null
  created_at: Date
  by_email: boolean
}

const mostShown = 50

/** Who seems to be the same person: by address first, then by name and company, the oldest first. */
export async function findTwins(tx: TenantTx, { id, email_key, name_key, company_key }: Recognised): Promise<Twin[]> {
  const isNamed = sql`name_key = ${name_key}::text and company_key = ${company_key}::text`
  const twins = sql<Twin>`(
      select distinct on (entity_type, id) entity_type, id, name, email, company, owner_id, created_at, by_email from (
      select 'lead' as entity_type, id, name, email, company, owner_id, created_at, true as by_email
        from crm.leads where deleted_at is null and id <> ${id} and email_key = ${email_key}::text
      union all
      select 'lead', id, name, email, company, owner_id, created_at, false
        from crm.leads where deleted_at is null and id <> ${id} and ${isNamed}
      union all
      select 'contact', id, name, email, account_name, owner_id, created_at, true
        from crm.contacts where deleted_at is null and id <> ${id} and email_key = ${email_key}::text
      union all
      select 'contact', contact.id, contact.name, contact.email, account.name, contact.owner_id, contact.created_at, false
        from crm.contacts contact join crm.accounts account on account.id = contact.account_id
        where contact.deleted_at is null and contact.id <> ${id} and contact.name_key = ${name_key}::text
          and account.deleted_at is null and account.name_key = ${company_key}::text
      ) as met order by entity_type, id, by_email desc)`
  return await tx
    .selectFrom(twins.as('twin'))
    .select(['entity_type', 'id', 'name', 'email', 'company', 'owner_id', 'created_at', 'by_email'])
    .orderBy('by_email', 'desc')
    .orderBy('created_at')
    .orderBy('id')
    .limit(mostShown)
    .execute()
}
