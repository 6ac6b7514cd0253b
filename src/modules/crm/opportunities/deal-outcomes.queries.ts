import { sql } from 'kysely'
import type { TenantTx } from '#platform/db'

export type DealOutcome = {
  id: string
  kind: 'open' | 'won' | 'lost'
  created_at: Date
  closed_at: Date | null
  amount_base_minor: number | null
}

/** Deleted deals are left out. */
export async function listDealOutcomes(tx: TenantTx, ids: readonly string[]): Promise<DealOutcome[]> {
  if (!ids.length) return []
  const deals = await tx
    .selectFrom('crm.opportunities')
    .select(['id', 'kind', 'created_at', 'closed_at', 'amount_base_minor'])
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .execute()
  return deals as DealOutcome[]
}
