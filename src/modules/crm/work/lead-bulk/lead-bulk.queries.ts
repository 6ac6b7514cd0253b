import type { TenantTx } from '#platform/db'
import { type LeadFilter, matchingLeads } from '../../people/leads/lead-filter.queries.ts'

export async function listMatchingLeadIds(tx: TenantTx, filter: LeadFilter, limit: number): Promise<string[]> {
  const { leads } = await matchingLeads(tx, filter)
  const rows = await leads.select('id').orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}
