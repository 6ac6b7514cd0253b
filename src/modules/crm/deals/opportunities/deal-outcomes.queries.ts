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

type ChangedDeal = DealOutcome & { deleted_at: Date | null }

export async function listChangedDeals(
  tx: TenantTx,
  since: Date,
  { after, limit }: { after: string; limit: number },
): Promise<ChangedDeal[]> {
  const columns = sql`id, kind, created_at, closed_at, amount_base_minor, deleted_at`
  const { rows } = await sql<ChangedDeal>`
    (select ${columns} from crm.opportunities
      where updated_at > ${since} and deleted_at is null and id > ${after} order by id limit ${limit})
    union all
    (select ${columns} from crm.opportunities where deleted_at > ${since} and id > ${after} order by id limit ${limit})
    order by id limit ${limit}
  `.execute(tx)
  return rows
}

export async function countClosedDeals(tx: TenantTx, since: Date): Promise<{ won: number; closed: number }> {
  const { rows } = await sql<{ won: number; closed: number }>`
    select count(*) filter (where kind = 'won')::integer as won, count(*)::integer as closed
    from crm.opportunities where closed_at >= ${since} and deleted_at is null and kind <> 'open'
  `.execute(tx)
  return rows[0]!
}

export type DealSegment = { stage: string; industry: string; count: number; amount_base_minor: number }

const maxSegments = 1_000

export async function listDealSegments(tx: TenantTx, minDeals: number): Promise<DealSegment[]> {
  const { rows } = await sql<DealSegment>`
    select deal.stage_key as stage, account.industry, count(*)::integer as count,
      coalesce(sum(deal.amount_base_minor), 0)::float8 as amount_base_minor
    from crm.opportunities deal join crm.accounts account on account.id = deal.account_id
    where deal.kind = 'open' and deal.deleted_at is null and account.industry <> ''
    group by deal.stage_key, account.industry having count(*) >= ${minDeals}
    order by amount_base_minor desc, stage, industry limit ${maxSegments}
  `.execute(tx)
  return rows
}
