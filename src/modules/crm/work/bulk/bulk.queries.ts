import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { type LeadFilter, matchingLeads } from '../../people/leads/lead-filter.queries.ts'

export async function listMatchingLeadIds(tx: TenantTx, filter: LeadFilter, limit: number): Promise<string[]> {
  const { leads } = await matchingLeads(tx, filter)
  const rows = await leads.select('id').orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Locks the leads that exist, ordered by id to avoid deadlocks. */
export async function lockExistingLeadIds(
  tx: TenantTx,
  ids: readonly string[],
  { isDeleted }: { isDeleted: boolean },
): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('crm.leads')
    .select('id')
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', isDeleted ? 'is not' : 'is', null)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return new Set(rows.map(({ id }) => id))
}
