import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type RelatedRecords = { leads: string[]; emails: string[]; deals: string[]; accounts: string[] }

/** Sorted, because they are locked in this order. */
export function findRelatedRecordIds(tx: TenantTx, contactIds: readonly string[]): Promise<RelatedRecords> {
  const ids = sql`any (${contactIds}::uuid[])`
  const related = sql<RelatedRecords>`(select
    array(select id from crm.leads where converted_contact_id = ${ids} order by id) as leads,
    array(select email_key from crm.contacts where id = ${ids} and email_key is not null order by 1) as emails,
    array(
      select id from crm.opportunities where primary_contact_id = ${ids}
      union select opportunity_id from crm.opportunity_contacts where contact_id = ${ids} order by 1) as deals,
    array(
      select distinct account_id from crm.contacts where id = ${ids} and account_id is not null order by 1) as accounts)`
  return tx.selectFrom(related.as('related')).select(['leads', 'emails', 'deals', 'accounts']).executeTakeFirstOrThrow()
}

export async function lockRelatedRows(
  tx: TenantTx,
  table: 'crm.leads' | 'crm.opportunities',
  ids: string[],
): Promise<void> {
  await tx
    .selectFrom(table)
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** A contact has one role per deal: keeps the role of the surviving contact, else the oldest one. */
export async function deleteDuplicateDealContacts(
  tx: TenantTx,
  fromIds: readonly string[],
  toId: string,
): Promise<void> {
  await sql`
    delete from crm.opportunity_contacts duplicate where contact_id = any (${fromIds}::uuid[]) and exists (
      select from crm.opportunity_contacts kept
      where kept.opportunity_id = duplicate.opportunity_id and (
        kept.contact_id = ${toId}
        or (kept.contact_id = any (${fromIds}::uuid[]) and (kept.created_at, kept.contact_id) < (duplicate.created_at, duplicate.contact_id))))
  `.execute(tx)
}
