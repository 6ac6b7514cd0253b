import { sql } from 'kysely'
import type { DateRange } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { isDirectNow, readSums } from '../../records/fields/rollup-states.queries.ts'
import { baseCtes, sumsBy, unfolded } from './analytics-sql.queries.ts'
import type { PercentileRow } from './histogram.rules.ts'
import { exactLimit, selectPercentiles } from './percentiles.queries.ts'
import type { RollupSums } from './rollup-columns.rules.ts'

export type KpiPeriods = {
  current: DateRange
  previous: DateRange
  owner_id?: string
  now: Date
  isDirect?: boolean
}
type KpiRow = {
  sums: RollupSums[] | null
  percentiles: PercentileRow[] | null
  previous_percentiles: PercentileRow[] | null
  unfolded: number
}

export function selectKpis({ current, previous, owner_id, now, isDirect }: KpiPeriods, maxExact?: number) {
  const allLeads = { range: {}, owner_id, now, isDirect }
  const period = sql`case when day >= ${current.from}::date then 'current'
    when day >= ${previous.from}::date then 'previous' else 'earlier' end`
  const percentilesOf = (key: 'current' | 'previous', range: DateRange) => {
    const leads = sql`(select sum(leads) from sums where key = ${sql.lit(key)})`
    return selectPercentiles({ ...allLeads, range }, [{ metric: 'response', q: 0.5 }], exactLimit(leads, maxExact))
  }
  return sql<KpiRow>`(
    with ${baseCtes(allLeads)},
    sums as materialized (${sumsBy('period', period, allLeads)})
    select (select json_agg(sums) from sums) as sums,
      ${percentilesOf('current', current)} as percentiles,
      ${percentilesOf('previous', previous)} as previous_percentiles,
      ${unfolded(allLeads)} as unfolded
  )`
}

export async function readKpis(tx: TenantTx, periods: KpiPeriods, maxExact?: number): Promise<KpiRow> {
  return await readSums(tx, 'leads', (isDirect) => {
    const query = selectKpis({ ...periods, isDirect }, maxExact).as('kpis')
    const stored = ['sums', 'percentiles', 'previous_percentiles', 'unfolded'] as const
    return tx
      .selectFrom(query)
      .select([...stored, isDirectNow('leads').as('is_direct')])
      .executeTakeFirstOrThrow()
  })
}
