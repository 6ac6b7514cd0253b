import { type RawBuilder, sql } from 'kysely'
import { allOf, type TenantTx } from '#platform/db'
import type { ClosedPeriod } from './forecast.rules.ts'

type StageFilter = { pipelineId: string; ownerIds?: readonly string[]; closed: ClosedPeriod }

/** Sums are texts because they may exceed a number; `weighted` is in 1/10,000 of a minor unit. */
export type StageSums = { stage_key: string; deals: number; minor: string; weighted: string }

/** Sums the open deals of each stage and those closed in the period. Reads sums, their changes, and deals closed within a few hours. */
export async function sumStages(tx: TenantTx, { pipelineId, ownerIds, closed }: StageFilter): Promise<StageSums[]> {
  const { sinceMonth, sign, from, to } = closed
  const inPipeline: RawBuilder<boolean>[] = [
    sql`pipeline_id = ${pipelineId}::uuid`,
    ...(ownerIds ? [sql<boolean>`owner_id = any (${ownerIds}::uuid[])`] : []),
  ]
  const rowsOf = (table: string) => sql`
    select stage_key, deals, minor, weighted from ${sql.table(table)}
    where ${allOf([...inPipeline, sql`closed_month >= ${sinceMonth}::date`])}`
  const closedBetween = [
    sql`deleted_at is null`,
    sql`kind <> 'open'`,
    sql`closed_at >= ${from}`,
    sql`closed_at < ${to}`,
  ]
  const sums = sql<StageSums>`(
    select stage_key, sum(deals)::bigint as deals, sum(minor)::text as minor, sum(weighted)::text as weighted
    from (${rowsOf('crm.stage_sums')} union all ${rowsOf('crm.stage_deltas')} union all
      select stage_key, ${sign}::bigint, ${sign}::numeric * coalesce(amount_base_minor, 0),
        ${sign}::numeric * coalesce(amount_base_minor, 0) * probability_basis
      from crm.opportunities where ${allOf([...inPipeline, ...(closedBetween as RawBuilder<boolean>[])])}
    ) as sums group by stage_key)`
  return await tx.selectFrom(sums.as('sums')).select(['stage_key', 'deals', 'minor', 'weighted']).execute()
}
