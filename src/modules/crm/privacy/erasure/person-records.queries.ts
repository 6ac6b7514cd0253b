import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type PersonKeys = { email_keys: readonly string[]; lead_ids: readonly string[]; contact_ids: readonly string[] }

type PersonRow = {
  id: string
  first_name: string | null
  last_name: string | null
  email_key: string | null
  phone: string | null
  phone_e164: string | null
}
export type PersonLead = PersonRow & { contact_id: string | null; lead_id: string | null }
export type PersonContact = PersonRow & { lead_id: string | null; contact_id: string | null }

const identity = sql`id, first_name, last_name, email_key, phone, phone_e164`

export async function listPersonLeads(
  tx: TenantTx,
  { email_keys, lead_ids, contact_ids }: PersonKeys,
): Promise<PersonLead[]> {
  const { rows } = await sql<PersonLead>`
    select ${identity}, converted_contact_id as contact_id, merged_into_id as lead_id from crm.leads where id = any (array(
      select id from crm.leads where email_key = any (${email_keys}::text[]) and deleted_at is null
      union select id from crm.leads where email_key = any (${email_keys}::text[]) and deleted_at is not null
      union select id from crm.leads where merged_into_id = any (${lead_ids}::uuid[])
      union select id from crm.leads where converted_contact_id = any (${contact_ids}::uuid[])
      union select unnest(${lead_ids}::uuid[])))
  `.execute(tx)
  return rows
}

export async function listPersonContacts(
  tx: TenantTx,
  { email_keys, lead_ids, contact_ids }: PersonKeys,
): Promise<PersonContact[]> {
  const { rows } = await sql<PersonContact>`
    select ${identity}, lead_id, merged_into_id as contact_id from crm.contacts where id = any (array(
      select id from crm.contacts where email_key = any (${email_keys}::text[]) and deleted_at is null
      union select id from crm.contacts where email_key = any (${email_keys}::text[]) and deleted_at is not null
      union select id from crm.contacts where merged_into_id = any (${contact_ids}::uuid[])
      union select id from crm.contacts where lead_id = any (${lead_ids}::uuid[])
      union select unnest(${contact_ids}::uuid[])))
  `.execute(tx)
  return rows
}

type RecordIds = { lead_ids: readonly string[]; contact_ids: readonly string[] }

export async function findRelatedIds(tx: TenantTx, { lead_ids, contact_ids }: RecordIds) {
  const { rows } = await sql<{ opportunity_ids: string[]; account_ids: string[] }>`
    with deals as (
      select id, account_id from crm.opportunities where lead_id = any (${lead_ids}::uuid[])
      union select id, account_id from crm.opportunities where primary_contact_id = any (${contact_ids}::uuid[])
      union select id, account_id from crm.opportunities where id = any (array(
        select opportunity_id from crm.opportunity_contacts where contact_id = any (${contact_ids}::uuid[])))
      union select id, account_id from crm.opportunities where id = any (array(
        select converted_opportunity_id from crm.leads where id = any (${lead_ids}::uuid[])))
    )
    select array(select id::text from deals order by 1) as opportunity_ids,
      array(
        select account_id::text from deals
        union select account_id::text from crm.contacts where id = any (${contact_ids}::uuid[]) and account_id is not null
        union select converted_account_id::text from crm.leads where id = any (${lead_ids}::uuid[]) and converted_account_id is not null
        order by 1) as account_ids
  `.execute(tx)
  return rows[0]!
}
