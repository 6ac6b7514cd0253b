import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'

/** Stored sums of deals by the columns in `key`, with the changes that are not in them yet, and how they follow from the deals. */
export type DealRollup = {
  sums: 'crm.deal_sums' | 'crm.stage_sums'
  deltas: 'crm.deal_deltas' | 'crm.stage_deltas'
  primaryKey: string
  key: RawBuilder<unknown>
  keyOfDeal: RawBuilder<unknown>
  countedKinds: readonly string[]
}

const ownerOrNil = sql`coalesce(owner_id, ${sql.lit(nilUuid)}) as owner_id`

/** Sums by day, which the forecast reads. */
export const dayRollup: DealRollup = {
  sums: 'crm.deal_sums',
  deltas: 'crm.deal_deltas',
  primaryKey: 'deal_sums_pkey',
  key: sql`close_on, owner_id, pipeline_id, kind, forecast_category`,
  keyOfDeal: sql`close_on, ${ownerOrNil}, pipeline_id, kind, forecast_category`,
  countedKinds: ['open', 'won'],
}

/** Sums by stage, which the board reads. */
export const stageRollup: DealRollup = {
  sums: 'crm.stage_sums',
  deltas: 'crm.stage_deltas',
  primaryKey: 'stage_sums_pkey',
  key: sql`pipeline_id, closed_month, owner_id, stage_key`,
  keyOfDeal: sql`pipeline_id, crm.closed_month(kind, closed_at) as closed_month, ${ownerOrNil}, stage_key`,
  countedKinds: ['open', 'won', 'lost'],
}

/** The deals themselves in the form of sums. */
export const selectSingleDeals = ({ keyOfDeal, countedKinds }: DealRollup): RawBuilder<unknown> => sql`
  select ${keyOfDeal}, 1 as deals, coalesce(amount_base_minor, 0) as minor,
    coalesce(amount_base_minor::numeric * probability_basis, 0) as weighted
  from crm.opportunities where deleted_at is null and kind in (${sql.join(countedKinds.map((kind) => sql.lit(kind)))})`

/** Moves up to `limit` changes into the sums. Returns how many. */
export async function foldDeltas(
  tx: TenantTx,
  { sums, deltas, key, primaryKey }: DealRollup,
  limit: number,
): Promise<number> {
  const changes = sql.table(deltas)
  const { rows } = await sql<{ folded: number }>`
    with removed as (
      delete from ${changes} where id = any (array(select id from ${changes} limit ${limit}))
      returning ${key}, deals, minor, weighted
    ),
    changed as (
      insert into ${sql.table(sums)} as sums (${key}, deals, minor, weighted)
      select ${key}, sum(deals), sum(minor), sum(weighted) from removed group by ${key}
      on conflict on constraint ${sql.id(primaryKey)} do update
        set deals = sums.deals + excluded.deals, minor = sums.minor + excluded.minor, weighted = sums.weighted + excluded.weighted
    )
    select count(*)::integer as folded from removed
  `.execute(tx)
  return rows[0]!.folded
}

export async function deleteEmptySums(tx: TenantTx, { sums }: DealRollup): Promise<void> {
  await sql`delete from ${sql.table(sums)} where (deals, minor, weighted) = (0, 0, 0)`.execute(tx)
}

/** Adds differences between the deals and the sums as changes. One statement, so all come from the same snapshot. */
export async function correctSums(tx: TenantTx, rollup: DealRollup): Promise<number> {
  const { sums, deltas, key } = rollup
  const negated = sql`${key}, -deals, -minor, -weighted`
  const { numAffectedRows = 0n } = await sql`
    insert into ${sql.table(deltas)} (${key}, deals, minor, weighted)
    select ${key}, sum(deals), sum(minor), sum(weighted) from (
      select ${key}, deals, minor, weighted from (${selectSingleDeals(rollup)}) as deal
      union all
      select ${negated} from ${sql.table(sums)}
      union all
      select ${negated} from ${sql.table(deltas)}
    ) as difference
    group by ${key} having (sum(deals), sum(minor), sum(weighted)) <> (0, 0, 0)
  `.execute(tx)
  return Number(numAffectedRows)
}
