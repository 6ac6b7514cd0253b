import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 500

type PurgeableRecord = {
  type: 'lead' | 'contact' | 'account' | 'opportunity'
  table: string
  condition?: Expression<SqlBool>
}

/** In purge order: deals before accounts, because an account is kept while it has deals. */
export const purgeableRecords: readonly PurgeableRecord[] = [
  { type: 'opportunity', table: 'crm.opportunities' },
  { type: 'lead', table: 'crm.leads' },
  { type: 'contact', table: 'crm.contacts' },
  {
    type: 'account',
    table: 'crm.accounts',
    condition: sql`not exists (select from crm.opportunities where account_id = crm.accounts.id)`,
  },
]

/** Permanently deletes one batch of records deleted before `before`, with their activities, and returns the count. */
export async function purgeDeletedBatch(
  tx: TenantTx,
  { type, table, condition = sql`true` }: PurgeableRecord,
  before: Date,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where deleted_at < ${before} and ${condition}
    order by deleted_at limit ${sql.lit(batchSize)} for update skip locked
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return 0
  const recordId = sql.ref(`${type}_id`)
  // Activities that also belong to another record stay in its timeline.
  await sql`
    update crm.activities set ${recordId} = null
    where ${recordId} = any (${ids}::uuid[]) and num_nonnulls(lead_id, contact_id, account_id, opportunity_id) > 1
  `.execute(tx)
  await sql`delete from crm.activities where ${recordId} = any (${ids}::uuid[])`.execute(tx)
  await sql`delete from crm.record_tags where entity_type = ${type} and record_id = any (${ids}::uuid[])`.execute(tx)
  await sql`delete from crm.field_provenance where entity_type = ${type} and entity_id = any (${ids}::uuid[])`.execute(
    tx,
  )
  await sql`delete from ${sql.table(table)} where id = any (${ids}::uuid[])`.execute(tx)
  return ids.length
}
