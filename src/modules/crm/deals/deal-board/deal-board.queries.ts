import { sql } from 'kysely'
import { allOf, type Condition, type TenantTx } from '#platform/db'
import { visibleCustom } from '../../records/custom-values/custom-values.queries.ts'
import { type OpportunitySummaryRow, opportunitySummaryColumns } from '../opportunities/opportunities.queries.ts'

type CardFilter = { pipelineId: string; stageKeys: readonly string[]; ownerId?: string; limit: number }

/** Literal, because the planner assumes 10 % of the table for a bind parameter. At least the largest `limit`. */
const maxScanned = sql.lit(51)

/** Lists the first deals of each stage by amount, highest first and missing amounts last. Two index scans per stage. */
export async function listStageDeals(
  tx: TenantTx,
  { pipelineId, stageKeys, ownerId, limit }: CardFilter,
): Promise<OpportunitySummaryRow[]> {
  const columns = sql.join(opportunitySummaryColumns.map((column) => sql.ref(column)))
  const dealColumns = sql.join(opportunitySummaryColumns.map((column) => sql.ref(`deal.${column}`)))
  const conditions: Condition[] = [
    sql`pipeline_id = ${pipelineId}::uuid`,
    sql`stage_key = stage.key`,
    sql`deleted_at is null`,
    ...(ownerId ? [sql<boolean>`owner_id = ${ownerId}::uuid`] : []),
  ]
  const scan = (amount: Condition) => sql`(
    select ${columns} from crm.opportunities where ${allOf([...conditions, amount])}
    order by amount_base_minor desc, id desc limit ${maxScanned})`
  const deals = sql<OpportunitySummaryRow>`(
    select ${dealColumns} from unnest(${stageKeys}::text[]) as stage (key) cross join lateral (
      select ${columns} from (${scan(sql`amount_base_minor is not null`)} union all ${scan(sql`amount_base_minor is null`)}) as scanned
      order by amount_base_minor desc nulls last, id desc limit ${limit}
    ) as deal)`
  const rows = await tx
    .selectFrom(deals.as('deal'))
    .select(opportunitySummaryColumns.filter((column) => column !== 'custom'))
    .select(visibleCustom('crm.opportunities').as('custom'))
    .orderBy('amount_base_minor', (order) => order.desc().nullsLast())
    .orderBy('id', 'desc')
    .execute()
  return rows as OpportunitySummaryRow[]
}
