import type { SignedIn } from '#platform/access'
import { dayAt } from '#platform/clock'
import type { TenantTx } from '#platform/db'
import type { ForecastSource } from '#platform/module'
import type { PageQuery } from '#platform/schema'
import { readSettings } from '../settings/settings.queries.ts'
import { fiscalQuarter, type Period } from './fiscal-quarter.rules.ts'
import { toForecastUser } from './forecast.rules.ts'
import { firstTeamsOf, listForecasters } from './forecast-users.queries.ts'

type Circumstances = { source: ForecastSource | undefined; now: Date }

/** The forecast of the present fiscal quarter, person by person. */
export async function forecastUsers(tx: TenantTx, viewer: SignedIn, page: PageQuery, { source, now }: Circumstances) {
  const { currency } = await readSettings(tx, 'general')
  const period = await presentFiscalQuarter(tx, now)
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

/** The quarter of the workspace's own year that it is now, where the workspace is. */
export async function presentFiscalQuarter(tx: TenantTx, now: Date): Promise<Period> {
  const { timezone, fiscal_year_start_month } = await readSettings(tx, 'general')
  return fiscalQuarter(dayAt(now, timezone), fiscal_year_start_month)
}
