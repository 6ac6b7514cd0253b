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

export type DealFacts = DealOutcome & { stage_key: string; industry: string | null; updated_at: Date }

/** A page of the open deals and those closed since then, by id, with the industry of their account. */
export async function listDealFacts(
  tx: TenantTx,
  { since }: { since: Date },
  { after, limit }: { after: string; limit: number },
): Promise<DealFacts[]> {
  const deals = await tx
    .selectFrom('crm.opportunities as deal')
    .leftJoin('crm.accounts as account', 'account.id', 'deal.account_id')
    .select([
      'deal.id',
      'deal.kind',
      'deal.stage_key',
      'deal.created_at',
      'deal.closed_at',
      'deal.updated_at',
      'deal.amount_base_minor',
      'account.industry',
    ])
    .where('deal.id', '>', after)
    .where('deal.deleted_at', 'is', null)
    .where(({ or, eb }) => or([eb('deal.closed_at', 'is', null), eb('deal.closed_at', '>=', since)]))
    .orderBy('deal.id')
    .limit(limit)
    .execute()
  return deals as DealFacts[]
}
