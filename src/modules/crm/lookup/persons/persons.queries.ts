import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type LockedLead = {
  id: string
  created_at: Date
  converted_contact_id: string | null
  converted_account_id: string | null
  is_mql: boolean
  is_sql: boolean
  is_converted: boolean
}

/** Skips unknown and deleted leads. */
export async function lockLeadsOfPersons(tx: TenantTx, ids: readonly string[]): Promise<LockedLead[]> {
  if (!ids.length) return []
  const { rows } = await sql<LockedLead>`
    select id, created_at, converted_contact_id, converted_account_id, ${milestones}
    from crm.leads where id = any (${ids}::uuid[]) and deleted_at is null order by id for no key update
  `.execute(tx)
  return rows
}

const milestones = sql`mql_at is not null as is_mql, sql_at is not null as is_sql, status = 'converted' as is_converted`

export type LeadMilestones = Pick<LockedLead, 'id' | 'created_at' | 'is_mql' | 'is_sql' | 'is_converted'>

export async function listLeadMilestones(tx: TenantTx, ids: readonly string[]): Promise<LeadMilestones[]> {
  const leads = sql<LeadMilestones>`(select id, created_at, ${milestones} from crm.leads where id = any (${ids}::uuid[]))`
  return await tx
    .selectFrom(leads.as('lead'))
    .select(['lead.id', 'lead.created_at', 'lead.is_mql', 'lead.is_sql', 'lead.is_converted'])
    .execute()
}

export async function lockAccountsOfPersons(tx: TenantTx, ids: readonly string[]): Promise<void> {
  if (!ids.length) return
  await sql`select id from crm.accounts where id = any (${ids}::uuid[]) order by id for no key update`.execute(tx)
}

export type LockedContact = { id: string; lead_id: string | null }

/** Skips unknown and deleted contacts. */
export async function lockContactsOfPersons(tx: TenantTx, ids: readonly string[]): Promise<LockedContact[]> {
  if (!ids.length) return []
  const { rows } = await sql<LockedContact>`
    select id, lead_id from crm.contacts where id = any (${ids}::uuid[]) and deleted_at is null order by id for no key update
  `.execute(tx)
  return rows
}

export function listContactLinks(tx: TenantTx, ids: readonly string[]) {
  return tx
    .selectFrom('crm.contacts')
    .select(['id', 'lead_id', 'account_id'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

export type LeadUtmCampaign = { id: string; created_at: Date; utm_campaign: string }

export async function listLeadUtmCampaigns(tx: TenantTx, ids: readonly string[]): Promise<LeadUtmCampaign[]> {
  const leads = sql<LeadUtmCampaign>`(
    select id, created_at, utm ->> 'campaign' as utm_campaign from crm.leads
    where id = any (${ids}::uuid[]) and utm ->> 'campaign' is not null)`
  return await tx
    .selectFrom(leads.as('lead'))
    .select(['lead.id', 'lead.created_at', 'lead.utm_campaign'])
    .orderBy('lead.id')
    .execute()
}

export type LeadCard = { id: string; name: string | null; email: string | null; company: string | null; status: string }

export async function findLeadCards(tx: TenantTx, ids: readonly string[]): Promise<Map<string, LeadCard>> {
  const leads = await tx
    .selectFrom('crm.leads')
    .select(['id', 'name', 'email', 'company', 'status'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(leads.map((lead) => [lead.id, lead]))
}

export type ContactCard = {
  id: string
  name: string | null
  email: string | null
  title: string | null
  account_name: string | null
}

export async function findContactCards(tx: TenantTx, ids: readonly string[]): Promise<Map<string, ContactCard>> {
  const contacts = await tx
    .selectFrom('crm.contacts')
    .select(['id', 'name', 'email', 'title', 'account_name'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  return new Map(contacts.map((contact) => [contact.id, contact]))
}

export type EmailRecipient = {
  id: string
  lead_id: string | null
  contact_id: string | null
  account_id: string | null
  first_name: string | null
  name: string | null
  email: string | null
  lifecycle_stage: string
}

/** Returns the leads or contacts that are not deleted. A converted lead comes with its contact. */
export async function listEmailRecipients(
  tx: TenantTx,
  objectType: 'lead' | 'contact',
  ids: readonly string[],
): Promise<EmailRecipient[]> {
  const persons =
    objectType === 'lead'
      ? sql<EmailRecipient>`(select id, id as lead_id, converted_contact_id as contact_id, converted_account_id as account_id,
          first_name, name, email, lifecycle_stage
        from crm.leads where id = any (${ids}::uuid[]) and deleted_at is null)`
      : sql<EmailRecipient>`(select id, lead_id, id as contact_id, account_id, first_name, name, email, lifecycle_stage
        from crm.contacts where id = any (${ids}::uuid[]) and deleted_at is null)`
  return await tx
    .selectFrom(persons.as('person'))
    .select([
      'person.id',
      'person.lead_id',
      'person.contact_id',
      'person.account_id',
      'person.first_name',
      'person.name',
    ])
    .select(['person.email', 'person.lifecycle_stage'])
    .execute()
}
