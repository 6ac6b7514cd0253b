import { baseCurrencyOf, currentFiscalQuarter, findUserNames, listMemberIds, timezoneOf } from '#modules/identity'
import { dayInTimezone } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import { listPipelineRows } from '../pipelines/pipelines.queries.ts'
import { sumForecast } from './forecast.queries.ts'
import { addForecastSums, toForecastFigures, toForecastPeriod } from './forecast.rules.ts'
import type { Forecast, ForecastQuery } from './forecast.schemas.ts'

/** The default period is the current fiscal quarter. */
export async function getOpportunityForecast(tx: TenantTx, query: ForecastQuery, now: Date): Promise<Forecast> {
  const { start_on, end_on } = await currentFiscalQuarter(tx, now)
  const period = toForecastPeriod(query, { from: start_on, to: end_on })
  const base = await baseCurrencyOf(tx)
  const today = dayInTimezone(now, await timezoneOf(tx))
  const ownerIds = await findOwnerIds(tx, query)
  const sums = await sumForecast(tx, { period, groupBy: query.group_by, ownerIds, today })
  const groups = await listGroups(
    tx,
    query.group_by,
    sums.map(({ group_id }) => group_id),
  )
  const positions = new Map(groups.map(({ id }, position) => [id, position]))
  const rows = sums
    .toSorted((one, other) => positions.get(one.group_id)! - positions.get(other.group_id)!)
    .map(({ group_id, ...figures }) => ({
      group: groups[positions.get(group_id)!]!,
      ...toForecastFigures(figures, base),
    }))
  return { base_currency: base, ...period, rows, totals: toForecastFigures(addForecastSums(sums), base) }
}

type OwnerFilter = Pick<ForecastQuery, 'owner_id' | 'team_id'>

export async function findOwnerIds(tx: TenantTx, { owner_id, team_id }: OwnerFilter): Promise<string[] | undefined> {
  const memberIds = team_id === undefined ? undefined : await listMemberIds(tx, team_id)
  if (owner_id === undefined) return memberIds
  return memberIds === undefined || memberIds.includes(owner_id) ? [owner_id] : []
}

type ForecastGroup = { id: string | null; name: string | null }

async function listGroups(
  tx: TenantTx,
  by: ForecastQuery['group_by'],
  ids: (string | null)[],
): Promise<ForecastGroup[]> {
  const knownIds = ids.filter((id) => id !== null)
  if (by === 'month') return knownIds.sort().map((id) => ({ id, name: id }))
  if (by === 'pipeline') return (await listPipelineRows(tx)).map(({ id, name }) => ({ id, name }))
  const names = await findUserNames(tx, knownIds)
  const owners: ForecastGroup[] = knownIds.map((id) => ({ id, name: names.get(id) ?? '' }))
  owners.sort((one, other) => one.name!.localeCompare(other.name!) || (one.id! < other.id! ? -1 : 1))
  return [...owners, { id: null, name: null }]
}
