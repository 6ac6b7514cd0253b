import { sql } from 'kysely'
import { selectRows, type TenantTx } from '#platform/db'
import { erasedName } from './mentions.rules.ts'

const isErased = (personalKeys: readonly string[]) => sql`
  first_name = ${erasedName.first_name} and last_name = ${erasedName.last_name}
  and num_nonnulls(email, phone, phone_e164, title, website, linkedin_url, city, utm, notes, source_detail) = 0
  and not custom ?| ${personalKeys}::text[]`

export type LeadToErase = {
  id: string
  company: string | null
  company_domain: string | null
  custom: Record<string, unknown>
  tags: string[]
}

export async function lockLeadsToErase(
  tx: TenantTx,
  ids: readonly string[],
  personalKeys: readonly string[],
  limit: number,
): Promise<LeadToErase[]> {
  const { rows } = await sql<LeadToErase>`
    select id, company, company_domain, custom, tags from crm.leads
    where id = any (${ids}::uuid[]) and not coalesce(${isErased(personalKeys)}, false)
    order by id limit ${sql.lit(limit)} for no key update
  `.execute(tx)
  return rows
}

export type ErasedLead = {
  id: string
  name_key: string | null
  search_text: string
  company: string | null
  company_key: string | null
  company_domain: string | null
  custom: object
  custom_text: string
}

export async function eraseLeadRows(tx: TenantTx, leads: readonly ErasedLead[]): Promise<void> {
  const { rows } = selectRows(leads, {
    id: 'uuid',
    name_key: 'text',
    search_text: 'text',
    company: 'text',
    company_key: 'text',
    company_domain: 'text',
    custom: 'jsonb',
    custom_text: 'text',
  })
  await sql`
    update crm.leads lead set first_name = ${erasedName.first_name}, last_name = ${erasedName.last_name},
      name_key = erased.name_key, search_text = erased.search_text, company = erased.company,
      company_key = erased.company_key, company_domain = erased.company_domain, custom = erased.custom, custom_text = erased.custom_text,
      email = null, phone = null, phone_e164 = null, title = null, website = null, linkedin_url = null, city = null,
      utm = null, notes = null, source_detail = null,
      email_status = 'unsubscribed', call_status = 'do_not_call', processing_restricted = true
    from (${rows}) as erased where lead.id = erased.id
  `.execute(tx)
}

type DeletedAiResult = { id: string; generated_at: string | null }

export async function deleteAiResults(tx: TenantTx, leadIds: readonly string[]): Promise<DeletedAiResult[]> {
  const { rows } = await sql<DeletedAiResult>`
    delete from crm.lead_ai_results where lead_id = any (${leadIds}::uuid[])
    returning id, result ->> 'generated_at' as generated_at
  `.execute(tx)
  return rows
}

export async function deleteLeadDetails(tx: TenantTx, ids: readonly string[]): Promise<Record<string, number>> {
  const leadIds = sql`any (${ids}::uuid[])`
  const [merges, events] = await Promise.all([
    sql`
      delete from crm.lead_merges where id = any (array(
        select id from crm.lead_merges where primary_id = ${leadIds} or snapshot -> 'merged_ids' ?| ${ids}::text[]
        order by id for update))
    `.execute(tx),
    sql`update crm.lifecycle_events set reason = null where lead_id = ${leadIds} and reason is not null`.execute(tx),
    sql`delete from crm.field_provenance where entity_type = 'lead' and entity_id = ${leadIds}`.execute(tx),
  ])
  return {
    'crm.lead_merges': Number(merges.numAffectedRows ?? 0),
    'crm.lifecycle_events': Number(events.numAffectedRows ?? 0),
  }
}
