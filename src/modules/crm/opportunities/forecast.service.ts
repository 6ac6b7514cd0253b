import { listMemberIds, namesOfUsers, presentFiscalQuarter } from '#modules/identity'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import { baseCurrencyOf, timezoneOf } from '../settings/crm-settings.queries.ts'
import { sumForecast } from './forecast.queries.ts'
import { addUp, spanOf, toFigures } from './forecast.rules.ts'
import type { Forecast, ForecastQuery } from './forecast.schemas.ts'
import { listPipelineRows } from './pipelines.queries.ts'

/** What was won and what may still come, in a span of days. Unless one is named it is the present fiscal quarter. */
export async function forecastDeals(tx: TenantTx, query: ForecastQuery, now: Date): Promise<Forecast> {
  const { start_on, end_on } = await presentFiscalQuarter(tx, now)
  const span = spanOf(query, { from: start_on, to: end_on })
  const base = await baseCurrencyOf(tx)
  const today = dayAt(now, await timezoneOf(tx))
  const owners = await ownersAsked(tx, query)
  const sums = await sumForecast(tx, { span, groupBy: query.group_by, owners, today })
  const groups = await groupsIn(
    tx,
    query.group_by,
    sums.map(({ group_id }) => group_id),
  )
  const places = new Map(groups.map(({ id }, place) => [id, place]))
  const rows = sums
    .toSorted((one, other) => places.get(one.group_id)! - places.get(other.group_id)!)
    .map(({ group_id, ...figures }) => ({ group: groups[places.get(group_id)!]!, ...toFigures(figures, base) }))
  return { base_currency: base, ...span, rows, totals: toFigures(addUp(sums), base) }
}

async function ownersAsked(tx: TenantTx, { owner_id, team_id }: ForecastQuery): Promise<string[] | undefined> {
  const team = team_id === undefined ? undefined : await listMemberIds(tx, team_id)
  if (owner_id === undefined) return team
  return team === undefined || team.includes(owner_id) ? [owner_id] : []
}

type Group = { id: string | null; name: string | null }

/** The groups of a forecast in the order they are read: people by name, months as they come, pipelines as they are laid. */
async function groupsIn(tx: TenantTx, by: ForecastQuery['group_by'], ids: (string | null)[]): Promise<Group[]> {
  const known = ids.filter((id) => id !== null)
  if (by === 'month') return known.sort().map((id) => ({ id, name: id }))
  if (by === 'pipeline') return (await listPipelineRows(tx)).map(({ id, name }) => ({ id, name }))
  const names = await namesOfUsers(tx, known)
  const people: Group[] = known.map((id) => ({ id, name: names.get(id) ?? '' }))
  people.sort((one, other) => one.name!.localeCompare(other.name!) || (one.id! < other.id! ? -1 : 1))
  return [...people, { id: null, name: null }]
}
