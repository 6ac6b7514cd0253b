import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

const batchSize = 1_000

export type LeadDates = { id: string; created_at: Date; created_on: string }

/** Includes deleted leads, which can be restored. */
export async function listLeadDates(tx: TenantTx, after: string): Promise<LeadDates[]> {
  return await tx
    .selectFrom('crm.leads')
    .select(['id', 'created_at', 'created_on'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(sql.lit(batchSize))
    .execute()
}

/** Keeps the versions, because no user made the change. Triggers move the leads to the new days. */
export async function updateCreatedOnRows(
  tx: TenantTx,
  leads: readonly Pick<LeadDates, 'id' | 'created_on'>[],
): Promise<void> {
  const [ids, days] = [leads.map(({ id }) => id), leads.map(({ created_on }) => created_on)]
  await sql`
    with locked as (select id from crm.leads where id = any (${ids}::uuid[]) order by id for no key update)
    update crm.leads as lead set created_on = changes.day
    from unnest(${ids}::uuid[], ${days}::date[]) as changes (id, day) join locked on locked.id = changes.id
    where lead.id = changes.id
  `.execute(tx)
}
