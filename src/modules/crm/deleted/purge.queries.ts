import { type Expression, type SqlBool, sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 500

type Kind = { type: 'lead' | 'contact' | 'account' | 'opportunity'; table: string; goes?: Expression<SqlBool> }

/** What goes for good, in this order: a deal before the account it was made with, which stays as long as there is one. */
export const kinds: readonly Kind[] = [
  { type: 'opportunity', table: 'crm.opportunities' },
  { type: 'lead', table: 'crm.leads' },
  { type: 'contact', table: 'crm.contacts' },
  {
    type: 'account',
    table: 'crm.accounts',
    goes: sql`not exists (select from crm.opportunities where account_id = crm.accounts.id)`,
  },
]

/** Removes some records for good that were deleted before an instant, with what was about them alone, and tells how many. */
export async function purgeSome(tx: TenantTx, { type, table, goes = sql`true` }: Kind, before: Date): Promise<number> {
  const { rows } = await sql<{ id: string }>`
    select id from ${sql.table(table)} where deleted_at < ${before} and ${goes}
    order by deleted_at limit ${sql.lit(batchSize)} for update skip locked
  `.execute(tx)
  const ids = rows.map(({ id }) => id)
  if (!ids.length) return 0
  const own = sql.ref(`${type}_id`)
  // What happened stays in the timelines of others.
  await sql`
    update crm.activities set ${own} = null
    where ${own} = any (${ids}::uuid[]) and num_nonnulls(lead_id, contact_id, account_id, opportunity_id) > 1
  `.execute(tx)
  await sql`delete from crm.activities where ${own} = any (${ids}::uuid[])`.execute(tx)
  await sql`delete from crm.record_tags where entity_type = ${type} and record_id = any (${ids}::uuid[])`.execute(tx)
  await sql`delete from crm.field_provenance where entity_type = ${type} and entity_id = any (${ids}::uuid[])`.execute(
    tx,
  )
  await sql`delete from ${sql.table(table)} where id = any (${ids}::uuid[])`.execute(tx)
  return ids.length
}
