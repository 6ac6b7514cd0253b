import { type RawBuilder, sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import { allOf, planForValues, type TenantTx } from '#platform/db'
import { nilUuid } from '#platform/ids'
import { isDirectNow, readSums } from '../../records/fields/rollup-states.queries.ts'
import { dayRollup, selectSingleDeals } from './deal-rollups.queries.ts'
import type { ForecastSums } from './forecast.rules.ts'

type Grouping = 'owner' | 'month' | 'pipeline'
type ForecastFilter = { period: DateRange; groupBy: Grouping; ownerIds?: readonly string[]; today: string }

const groups: Record<Grouping, RawBuilder<unknown>> = {
  owner: sql`nullif(owner_id, ${sql.lit(nilUuid)})::text`,
  month: sql`to_char(close_on, 'YYYY-MM')`,
  pipeline: sql`pipeline_id::text`,
}

type SumsRow = Record<'closed' | 'commit' | 'best_case' | 'pipeline' | 'weighted', string> & {
  group_id: string | null
  open_count: number
  overdue_count: number
}

const periodOf = ({ from, to }: DateRange) => sql<boolean>`close_on between ${from}::date and ${to}::date`
const ofOwners = (ownerIds: readonly string[]) => sql<boolean>`owner_id = any (${ownerIds}::uuid[])`

/** The sums and the changes that are not in them yet, in one statement. Reading them does not depend on the number of deals. */
const dealSums = (conditions: readonly RawBuilder<boolean>[], isDirect: boolean) => {
  const { key, sums, deltas } = dayRollup
  const rowsOf = (table: RawBuilder<unknown>) =>
    sql`select ${key}, deals, minor, weighted from ${table} where ${allOf(conditions)}`
  if (isDirect) return sql`(${rowsOf(sql`(${selectSingleDeals(dayRollup)}) as deal`)}) as sums`
  return sql`(${rowsOf(sql.table(sums))} union all ${rowsOf(sql.table(deltas))}) as sums`
}

/** Reads rows of sums together with the state of the workspace, in one snapshot. */
async function readRows<Row>(tx: TenantTx, select: (isDirect: boolean) => RawBuilder<Row>): Promise<Row[]> {
  await planForValues(tx)
  const { sums } = await readSums(tx, 'deals', async (isDirect) => {
    const all = sql<{ sums: Row[] | null }>`(select json_agg(sums) as sums from ${select(isDirect)} as sums)`
    const columns = ['sums', isDirectNow('deals').as('is_direct')] as const
    return await tx.selectFrom(all.as('all_sums')).select(columns).executeTakeFirstOrThrow()
  })
  return (sums as Row[] | null) ?? []
}

/** Sums are read as text because they may exceed a number. */
export async function sumForecast(
  tx: TenantTx,
  { period, groupBy, ownerIds, today }: ForecastFilter,
): Promise<(ForecastSums & { group_id: string | null })[]> {
  const conditions = [periodOf(period), ...(ownerIds ? [ofOwners(ownerIds)] : [])]
  const sumOf = (condition: RawBuilder<unknown>, column = 'minor') =>
    sql`coalesce(sum(${sql.ref(column)}) filter (where ${condition}), 0)`
  const sumOfCategory = (category: string) =>
    sql`${sumOf(sql`kind = 'open' and forecast_category = ${sql.lit(category)}`)}::text`
  const select = (isDirect: boolean) => sql<SumsRow>`(
    select ${groups[groupBy]} as group_id, ${sumOf(sql`kind = 'won'`)}::text as closed,
      ${sumOfCategory('commit')} as commit, ${sumOfCategory('best_case')} as best_case, ${sumOfCategory('pipeline')} as pipeline,
      ${sumOf(sql`kind = 'open' and forecast_category <> 'omitted'`, 'weighted')}::text as weighted,
      ${sumOf(sql`kind = 'open'`, 'deals')}::bigint as open_count,
      ${sumOf(sql`kind = 'open' and close_on < ${today}::date`, 'deals')}::bigint as overdue_count
    from ${dealSums(conditions, isDirect)} group by 1 having sum(deals) > 0)`
  const rows = await readRows(tx, select)
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
  const select = (isDirect: boolean) => sql<OwnerSums>`(
    select owner_id,
      coalesce(sum(minor) filter (where kind = 'open'), 0)::text as open,
      coalesce(sum(weighted) filter (where kind = 'open'), 0)::text as weighted,
      coalesce(sum(minor) filter (where kind = 'won'), 0)::text as won,
      coalesce(sum(deals) filter (where kind = 'open'), 0)::bigint as open_count
    from ${dealSums([periodOf({ from, to }), ofOwners(ownerIds)], isDirect)} group by owner_id having sum(deals) > 0)`
  return await readRows(tx, select)
}
