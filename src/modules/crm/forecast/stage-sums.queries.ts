import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { allOf } from '../lists/keyset-page.queries.ts'

type StageFilter = { pipelineId: string; ownerId?: string; closedSince: Date }

/** Sums are texts because they may exceed a number; `weighted` is in 1/10,000 of a minor unit. */
export type StageSums = { stage_key: string; deals: number; minor: string; weighted: string }

/** Sums the open deals of each stage and those closed since then. */
export async function sumStages(tx: TenantTx, { pipelineId, ownerId, closedSince }: StageFilter): Promise<StageSums[]> {
  const conditions: RawBuilder<boolean>[] = [
    sql`deleted_at is null`,
    sql`pipeline_id = ${pipelineId}::uuid`,
    sql`(kind = 'open' or closed_at >= ${closedSince})`,
    ...(ownerId ? [sql<boolean>`owner_id = ${ownerId}::uuid`] : []),
  ]
  const sums = sql<StageSums>`(
    select stage_key, count(*)::integer as deals, coalesce(sum(amount_base_minor), 0)::text as minor,
      coalesce(sum(amount_base_minor::numeric * probability_basis), 0)::text as weighted
    from crm.opportunities where ${allOf(conditions)} group by stage_key)`
  return await tx.selectFrom(sums.as('sums')).selectAll().execute()
}
