import type { TenantTx } from '#platform/db'
import { type LeadFilter, matchingLeads } from '../leads/lead-filter.queries.ts'

/** The leads a filter means, at most so many. */
export async function idsMatching(tx: TenantTx, filter: LeadFilter, limit: number): Promise<string[]> {
  const { leads } = await matchingLeads(tx, filter)
  const rows = await leads.select('id').orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}
