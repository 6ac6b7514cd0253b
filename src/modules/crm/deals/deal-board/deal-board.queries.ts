import { type RawBuilder, sql } from 'kysely'
import { allOf, type Condition, type TenantTx } from '#platform/db'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'
import type { StageSums } from '../forecast/stage-sums.queries.ts'
import { type OpportunitySummaryRow, opportunitySummaryColumns } from '../opportunities/opportunities.queries.ts'

type CardFilter = { pipelineId: string; stageKeys: readonly string[]; ownerIds?: readonly string[]; limit: number }

/** Literal, because the planner assumes 10 % of the table for a bind parameter. At least the largest `limit`. */
const maxScanned = sql.lit(51)

/** Lists the first deals of each stage by amount, highest first and missing amounts last. Two index scans per stage and owner. */
export async function listStageDeals(
  tx: TenantTx,
  { pipelineId, stageKeys, ownerIds, limit }: CardFilter,
): Promise<OpportunitySummaryRow[]> {
  const columns = sql.join(opportunitySummaryColumns.map((column) => sql.ref(column)))
  const dealColumns = sql.join(opportunitySummaryColumns.map((column) => sql.ref(`deal.${column}`)))
  const conditions: Condition[] = [
    sql`pipeline_id = ${pipelineId}::uuid`,
    sql`stage_key = stage.key`,
    sql`deleted_at is null`,
    ...(ownerIds ? [sql<boolean>`owner_id = member_id`] : []),
  ]
  const scan = (amount: Condition) => sql`(
    select ${columns} from crm.opportunities where ${allOf([...conditions, amount])}
    order by amount_base_minor desc, id desc limit ${maxScanned})`
  const members = ownerIds ? sql`unnest(${ownerIds}::uuid[]) as member (member_id) cross join lateral` : sql``
  const deals = sql<OpportunitySummaryRow>`(
    select ${dealColumns} from unnest(${stageKeys}::text[]) as stage (key) cross join lateral (
      select ${columns} from ${members} (
        ${scan(sql`amount_base_minor is not null`)} union all ${scan(sql`amount_base_minor is null`)}
      ) as scanned
      order by amount_base_minor desc nulls last, id desc limit ${limit}
    ) as deal)`
  return await readDeals(tx, deals)
}

/** The deals that a search has found, at most as many as fit into a list of ids. */
type FoundDeals = { ids: readonly string[]; pipelineId: string; ownerIds?: readonly string[] }

const foundIn = ({ ids, pipelineId, ownerIds }: FoundDeals): Condition[] => [
  sql`id = any (${ids}::uuid[])`,
  sql`pipeline_id = ${pipelineId}::uuid`,
  sql`deleted_at is null`,
  ...(ownerIds ? [sql<boolean>`owner_id = any (${ownerIds}::uuid[])`] : []),
]

export async function sumFoundStages(
  tx: TenantTx,
  { closedFrom, ...found }: FoundDeals & { closedFrom: Date },
): Promise<StageSums[]> {
  const minor = sql`coalesce(amount_base_minor, 0)::numeric`
  const sums = sql<StageSums>`(
    select stage_key, count(*) as deals, sum(${minor})::text as minor, sum(${minor} * probability_basis)::text as weighted
    from crm.opportunities
    where ${allOf([...foundIn(found), sql`(kind = 'open' or closed_at >= ${closedFrom})`])} group by stage_key)`
  return await tx.selectFrom(sums.as('sums')).select(['stage_key', 'deals', 'minor', 'weighted']).execute()
}

export async function listFoundStageDeals(
  tx: TenantTx,
  { stageKeys, limit, ...found }: FoundDeals & { stageKeys: readonly string[]; limit: number },
): Promise<OpportunitySummaryRow[]> {
  const columns = sql.join(opportunitySummaryColumns.map((column) => sql.ref(column)))
  const deals = sql<OpportunitySummaryRow>`(
    select ${columns} from (
      select ${columns}, row_number() over (
        partition by stage_key order by amount_base_minor desc nulls last, id desc
      ) as place
      from crm.opportunities where ${allOf([...foundIn(found), sql`stage_key = any (${stageKeys}::text[])`])}
    ) as placed where place <= ${limit})`
  return await readDeals(tx, deals)
}

async function readDeals(tx: TenantTx, deals: RawBuilder<OpportunitySummaryRow>): Promise<OpportunitySummaryRow[]> {
  const rows = await tx
    .selectFrom(deals.as('deal'))
    .select(opportunitySummaryColumns.filter((column) => column !== 'custom'))
    .select(visibleCustom('crm.opportunities').as('custom'))
    .orderBy('amount_base_minor', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .execute()
  return rows as OpportunitySummaryRow[]
}
