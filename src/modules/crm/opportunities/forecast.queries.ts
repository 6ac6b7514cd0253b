import { type RawBuilder, sql } from 'kysely'
import type { TenantTx } from '#platform/db'
import { every } from '../lists/walk.queries.ts'
import type { Span, Sums } from './forecast.rules.ts'

type Grouping = 'owner' | 'month' | 'pipeline'
type Asked = { span: Span; groupBy: Grouping; owners?: readonly string[]; today: string }

/** The column deals are gathered by, and what their group is called. */
const groups: Record<Grouping, { by: RawBuilder<unknown>; name: RawBuilder<unknown> }> = {
  owner: { by: sql`owner_id`, name: sql`by::text` },
  month: { by: sql`close_on`, name: sql`to_char(by, 'YYYY-MM')` },
  pipeline: { by: sql`pipeline_id`, name: sql`by::text` },
}

const sumColumns = [
  ...(['group_id', 'closed', 'commit', 'best_case', 'pipeline', 'weighted', 'open_count', 'overdue_count'] as const),
] as const
type SumsRow = Record<'closed' | 'commit' | 'best_case' | 'pipeline' | 'weighted', string> & {
  group_id: string | null
  open_count: number
  overdue_count: number
}

/**
 * What was won and what is open in a span of days, group by group. Sums come as text, since they may outgrow a number. Deals
 * alike are added up before anything is multiplied: whole numbers are quick, and exact.
 */
export async function sumForecast(
  tx: TenantTx,
  { span: { from, to }, groupBy, owners, today }: Asked,
): Promise<(Sums & { group_id: string | null })[]> {
  const { by, name } = groups[groupBy]
  const held = [
    sql<boolean>`deleted_at is null and kind in ('open', 'won') and close_on between ${from}::date and ${to}::date`,
    ...(owners ? [sql<boolean>`owner_id = any (${owners}::uuid[])`] : []),
  ]
  const ofCategory = (category: string) =>
    sql`coalesce(sum(minor) filter (where kind = 'open' and forecast_category = ${sql.lit(category)}), 0)::text`
  const sums = sql<SumsRow>`(
    select ${name} as group_id,
      coalesce(sum(minor) filter (where kind = 'won'), 0)::text as closed,
      ${ofCategory('commit')} as commit, ${ofCategory('best_case')} as best_case, ${ofCategory('pipeline')} as pipeline,
      coalesce(sum(minor * probability_basis) filter (where kind = 'open' and forecast_category <> 'omitted'), 0)::text as weighted,
      coalesce(sum(deals) filter (where kind = 'open'), 0)::bigint as open_count,
      coalesce(sum(late) filter (where kind = 'open'), 0)::bigint as overdue_count
    from (
      select ${by} as by, kind, forecast_category, probability_basis, sum(amount_base_minor) as minor, count(*) as deals,
        count(*) filter (where close_on < ${today}::date) as late
      from crm.opportunities where ${every(held)} group by 1, 2, 3, 4
    ) as alike
    group by 1)`
  const rows = await tx.selectFrom(sums.as('sums')).select(sumColumns).execute()
  return rows.map(({ group_id, open_count, overdue_count, ...sums }) => ({
    ...{ group_id, open_count, overdue_count },
    closed: BigInt(sums.closed),
    commit: BigInt(sums.commit),
    best_case: BigInt(sums.best_case),
    pipeline: BigInt(sums.pipeline),
    weighted: BigInt(sums.weighted),
  }))
}

type OwnerSums = { owner_id: string; open: string; weighted: string; won: string; open_count: number }

/** The deals of some people in a span of days. Whoever has none is not in the answer. */
export async function sumByOwner(tx: TenantTx, owners: readonly string[], { from, to }: Span): Promise<OwnerSums[]> {
  const sums = sql<OwnerSums>`(
    select owner_id,
      coalesce(sum(amount_base_minor) filter (where kind = 'open'), 0)::text as open,
      coalesce(sum(amount_base_minor::numeric * probability_basis) filter (where kind = 'open'), 0)::text as weighted,
      coalesce(sum(amount_base_minor) filter (where kind = 'won'), 0)::text as won,
      count(*) filter (where kind = 'open') as open_count
    from crm.opportunities
    where owner_id = any (${owners}::uuid[]) and kind in ('open', 'won') and close_on between ${from}::date and ${to}::date
      and deleted_at is null
    group by owner_id)`
  return await tx.selectFrom(sums.as('sums')).select(['owner_id', 'open', 'weighted', 'won', 'open_count']).execute()
}
