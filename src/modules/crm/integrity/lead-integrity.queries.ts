import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const toIds = ({ rows }: { rows: { id: string }[] }) => rows.map(({ id }) => id)

export async function listConvertedWithoutContact(tx: TenantTx, limit: number): Promise<string[]> {
  const leads = sql<{ id: string }>`
    select id from crm.leads where status = 'converted' and deleted_at is null and converted_contact_id is null limit ${limit}`
  return toIds(await leads.execute(tx))
}

/** Links locked leads to the contact that was created from them. */
export async function restoreContactLinks(tx: TenantTx, leadIds: readonly string[]): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    update crm.leads lead set converted_contact_id = contact.id,
      converted_account_id = coalesce(lead.converted_account_id, contact.account_id)
    from (
      select distinct on (lead_id) lead_id, id, account_id from crm.contacts
      where lead_id = any (${leadIds}::uuid[]) and deleted_at is null order by lead_id, id
    ) as contact
    where lead.id = contact.lead_id and lead.status = 'converted' and lead.converted_contact_id is null
  `.execute(tx)
  return Number(numAffectedRows)
}

export async function listScoresOutOfRange(tx: TenantTx, limit: number): Promise<string[]> {
  const leads = sql<{ id: string }>`
    select id from crm.leads where deleted_at is null and (score not between 0 and 100
      or fit_score not between 0 and 100 or engagement_score not between 0 and 100) limit ${limit}`
  return toIds(await leads.execute(tx))
}

type Thresholds = { a: number; b: number }

export async function listStaleGrades(tx: TenantTx, { a, b }: Thresholds, limit: number): Promise<string[]> {
  const leads = sql<{ id: string }>`
    select id from crm.leads where deleted_at is null
      and grade <> case when score >= ${a}::integer then 'A' when score >= ${b}::integer then 'B' else 'C' end limit ${limit}`
  return toIds(await leads.execute(tx))
}

/** Prevented by a unique index, unless the index was dropped or is damaged. */
export async function listDuplicateContacts(tx: TenantTx, limit: number): Promise<string[]> {
  const contacts = sql<{ id: string }>`
    select contact.id from (
      select email_key from crm.contacts where deleted_at is null and email_key is not null group by email_key having count(*) > 1
      order by email_key limit ${limit}
    ) as duplicate
    join crm.contacts contact on contact.email_key = duplicate.email_key and contact.deleted_at is null
    order by contact.email_key, contact.id limit ${limit}`
  return toIds(await contacts.execute(tx))
}
