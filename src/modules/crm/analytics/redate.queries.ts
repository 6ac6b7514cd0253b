import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 1_000

export type DatedLead = { id: string; created_at: Date; created_on: string }

/** Some leads by id, those that were deleted among them: they can come back. */
export async function readDates(tx: TenantTx, after: string): Promise<DatedLead[]> {
  return await tx
    .selectFrom('crm.leads')
    .select(['id', 'created_at', 'created_on'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(sql.lit(batchSize))
    .execute()
}

/** No change that anybody made: versions stay. The days are marked by the database, the old ones and the new ones. */
export async function storeDates(tx: TenantTx, leads: readonly Pick<DatedLead, 'id' | 'created_on'>[]): Promise<void> {
  const [ids, days] = [leads.map(({ id }) => id), leads.map(({ created_on }) => created_on)]
  await sql`
    with held as (select id from crm.leads where id = any (${ids}::uuid[]) order by id for no key update)
    update crm.leads as lead set created_on = dated.day
    from unnest(${ids}::uuid[], ${days}::date[]) as dated (id, day) join held on held.id = dated.id
    where lead.id = dated.id
  `.execute(tx)
}
