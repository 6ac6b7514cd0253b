import { sql } from 'kysely'
import {
  acquireAdvisoryLock,
  listTenantsAsRetention,
  listTenantsWithRows,
  type SystemTx,
  type TenantTx,
} from '#platform/db'
import { nilUuid } from '#platform/ids'

export const listTenantsWithDealDeltas = (tx: SystemTx): Promise<string[]> => listTenantsWithRows(tx, 'crm.deal_deltas')

export const listTenantsWithDeals = (system: SystemTx): Promise<string[]> =>
  listTenantsAsRetention(system, (tx) => listTenantsWithRows(tx, 'crm.opportunities', sql`deleted_at is null`))

/** Serializes changes of the sums of a workspace. */
export const lockDealSums = (tx: TenantTx): Promise<void> => acquireAdvisoryLock(tx, 'deal_sums')

const key = sql`close_on, owner_id, pipeline_id, kind, forecast_category`

/** Moves up to `limit` changes into the sums. Returns how many. */
export async function foldDealDeltas(tx: TenantTx, limit: number): Promise<number> {
  const { rows } = await sql<{ folded: number }>`
    with removed as (
      delete from crm.deal_deltas where id = any (array(select id from crm.deal_deltas limit ${limit}))
      returning ${key}, deals, minor, weighted
    ),
    changed as (
      insert into crm.deal_sums as sums (${key}, deals, minor, weighted)
      select ${key}, sum(deals), sum(minor), sum(weighted) from removed group by ${key}
      on conflict on constraint deal_sums_pkey do update
        set deals = sums.deals + excluded.deals, minor = sums.minor + excluded.minor, weighted = sums.weighted + excluded.weighted
    )
    select count(*)::integer as folded from removed
  `.execute(tx)
  return rows[0]!.folded
}

export async function hasMoreDeals(tx: TenantTx, than: number): Promise<boolean> {
  const { rows } = await sql<{ deals: number }>`
    select count(*)::integer as deals
    from (select from crm.opportunities where deleted_at is null and kind in ('open', 'won') limit ${than + 1}) as deal
  `.execute(tx)
  return rows[0]!.deals > than
}

export async function deleteDealSums(tx: TenantTx): Promise<void> {
  await tx.deleteFrom('crm.deal_sums').execute()
}

export async function deleteEmptyDealSums(tx: TenantTx): Promise<void> {
  await sql`delete from crm.deal_sums where (deals, minor, weighted) = (0, 0, 0)`.execute(tx)
}

/** Adds differences between the deals and the sums as changes. One statement, so all come from the same snapshot. */
export async function correctDealSums(tx: TenantTx): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    insert into crm.deal_deltas (${key}, deals, minor, weighted)
    select ${key}, sum(deals), sum(minor), sum(weighted) from (
      select close_on, coalesce(owner_id, ${sql.lit(nilUuid)}) as owner_id, pipeline_id, kind, forecast_category,
        count(*) as deals, coalesce(sum(amount_base_minor), 0) as minor,
        coalesce(sum(amount_base_minor::numeric * probability_basis), 0) as weighted
      from crm.opportunities where deleted_at is null and kind in ('open', 'won') group by 1, 2, 3, 4, 5
      union all
      select ${key}, -deals, -minor, -weighted from crm.deal_sums
      union all
      select ${key}, -deals, -minor, -weighted from crm.deal_deltas
    ) as difference
    group by ${key} having (sum(deals), sum(minor), sum(weighted)) <> (0, 0, 0)
  `.execute(tx)
  return Number(numAffectedRows)
}
