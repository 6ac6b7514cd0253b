import type { SignedIn } from '#platform/access'
import type { TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { readSettings } from '../settings/settings.queries.ts'
import { dayIn, fiscalQuarter } from './fiscal-quarter.rules.ts'
import { type ForecastSource, toForecastUser } from './forecast.rules.ts'
import { firstTeamsOf, listForecasters } from './forecast-users.queries.ts'

type Circumstances = { source: ForecastSource | undefined; now: Date }

/** The forecast of the present fiscal quarter, person by person. */
export async function forecastUsers(tx: TenantTx, viewer: SignedIn, page: PageQuery, { source, now }: Circumstances) {
  const { currency, timezone, fiscal_year_start_month } = await readSettings(tx, 'general')
  const period = fiscalQuarter(dayIn(timezone, now), fiscal_year_start_month)
  const { items, ...rest } = await listForecasters(tx, page)

  const mayKnow = source !== undefined && viewer.scopes.has(source.scope)
  const ids = items.map(({ id }) => id)
  const figures = mayKnow ? await source.load(tx, viewer, ids, period) : null
  const teams = await firstTeamsOf(tx, ids)
  const forecast = items.map((person) => ({
    ...toForecastUser(person, period, currency, figures),
    team: teams.get(person.id) ?? null,
  }))
  return { ...rest, items: forecast }
}
