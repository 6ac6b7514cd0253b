import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

/** What a merge of contacts touches besides them. */
export type Ties = { leads: string[]; addresses: string[]; deals: string[]; accounts: string[] }

/** Each kind in its order, which is the one they are locked in. */
export function tiesOf(tx: TenantTx, contactIds: readonly string[]): Promise<Ties> {
  const isOne = sql`any (${contactIds}::uuid[])`
  const ties = sql<Ties>`(select
    array(select id from crm.leads where converted_contact_id = ${isOne} order by id) as leads,
    array(select email_key from crm.contacts where id = ${isOne} and email_key is not null order by 1) as addresses,
    array(
      select id from crm.opportunities where primary_contact_id = ${isOne}
      union select opportunity_id from crm.opportunity_contacts where contact_id = ${isOne} order by 1) as deals,
    array(
      select distinct account_id from crm.contacts where id = ${isOne} and account_id is not null order by 1) as accounts)`
  return tx.selectFrom(ties.as('ties')).select(['leads', 'addresses', 'deals', 'accounts']).executeTakeFirstOrThrow()
}

/** Also those that were deleted. */
export async function lockTied(tx: TenantTx, table: 'crm.leads' | 'crm.opportunities', ids: string[]): Promise<void> {
  await tx
    .selectFrom(table)
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}
