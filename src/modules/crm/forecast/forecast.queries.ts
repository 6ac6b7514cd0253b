import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import { planForValues, type TenantTx } from '#platform/db'
import { allOf } from '../lists/keyset-page.queries.ts'
import type { ForecastSums } from './forecast.rules.ts'

type Grouping = 'owner' | 'month' | 'pipeline'
type ForecastFilter = { period: DateRange; groupBy: Grouping; ownerIds?: readonly string[]; today: string }

const groups: Record<Grouping, { by: RawBuilder<unknown>; groupId: RawBuilder<unknown> }> = {
  owner: { by: sql`owner_id`, groupId: sql`by::text` },
  month: { by: sql`close_on`, groupId: sql`to_char(by, 'YYYY-MM')` },
  pipeline: { by: sql`pipeline_id`, groupId: sql`by::text` },
}

const sumColumns = [
  'group_id',
  'closed',
  'commit',
  'best_case',
  'pipeline',
  'weighted',
  'open_count',
  'overdue_count',
] as const
type SumsRow = Record<'closed' | 'commit' | 'best_case' | 'pipeline' | 'weighted', string> & {
  group_id: string | null
  open_count: number
  overdue_count: number
}

/** Sums are read as text because they may exceed a number. Amounts are summed per probability before multiplying: fast and exact. */
export async function sumForecast(
  tx: TenantTx,
  { period: { from, to }, groupBy, ownerIds, today }: ForecastFilter,
): Promise<(ForecastSums & { group_id: string | null })[]> {
  const { by, groupId } = groups[groupBy]
  const conditions = [
    sql<boolean>`deleted_at is null and kind in ('open', 'won') and close_on between ${from}::date and ${to}::date`,
    ...(ownerIds ? [sql<boolean>`owner_id = any (${ownerIds}::uuid[])`] : []),
  ]
  const sumOfCategory = (category: string) =>
    sql`coalesce(sum(minor) filter (where kind = 'open' and forecast_category = ${sql.lit(category)}), 0)::text`
  const sums = sql<SumsRow>`(
    select ${groupId} as group_id,
      coalesce(sum(minor) filter (where kind = 'won'), 0)::text as closed,
      ${sumOfCategory('commit')} as commit, ${sumOfCategory('best_case')} as best_case, ${sumOfCategory('pipeline')} as pipeline,
      coalesce(sum(minor * probability_basis) filter (where kind = 'open' and forecast_category <> 'omitted'), 0)::text as weighted,
      coalesce(sum(deals) filter (where kind = 'open'), 0)::bigint as open_count,
      coalesce(sum(overdue) filter (where kind = 'open'), 0)::bigint as overdue_count
    from (
      select ${by} as by, kind, forecast_category, probability_basis, sum(amount_base_minor) as minor, count(*) as deals,
        count(*) filter (where close_on < ${today}::date) as overdue
      from crm.opportunities where ${allOf(conditions)} group by 1, 2, 3, 4
    ) as by_probability
    group by 1)`
  await planForValues(tx)
  const rows = await tx.selectFrom(sums.as('sums')).select(sumColumns).execute()
  return rows.map(({ group_id, open_count, overdue_count, ...sums }) => ({
    group_id,
    open_count,
    overdue_count,
    closed: BigInt(sums.closed),
    commit: BigInt(sums.commit),
    best_case: BigInt(sums.best_case),
    pipeline: BigInt(sums.pipeline),
    weighted: BigInt(sums.weighted),
  }))
}

type OwnerSums = { owner_id: string; open: string; weighted: string; won: string; open_count: number }

/** Returns no row for an owner without deals in the period. */
export async function sumForecastByOwner(
  tx: TenantTx,
  ownerIds: readonly string[],
  { from, to }: DateRange,
): Promise<OwnerSums[]> {
  const sums = sql<OwnerSums>`(
    select owner_id,
      coalesce(sum(amount_base_minor) filter (where kind = 'open'), 0)::text as open,
      coalesce(sum(amount_base_minor::numeric * probability_basis) filter (where kind = 'open'), 0)::text as weighted,
      coalesce(sum(amount_base_minor) filter (where kind = 'won'), 0)::text as won,
      count(*) filter (where kind = 'open') as open_count
    from crm.opportunities
    where owner_id = any (${ownerIds}::uuid[]) and kind in ('open', 'won') and close_on between ${from}::date and ${to}::date
      and deleted_at is null
    group by owner_id)`
  await planForValues(tx)
  return await tx.selectFrom(sums.as('sums')).select(['owner_id', 'open', 'weighted', 'won', 'open_count']).execute()
}
