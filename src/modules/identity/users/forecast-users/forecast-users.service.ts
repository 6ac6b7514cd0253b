import type { UserActor } from '#platform/access'
import { dayInTimezone, fiscalQuarterOf, type Period } from '#platform/calendar'
import type { TenantTx } from '#platform/db'
import type { PageQuery } from '#platform/schema'
import { readSettings } from '../../workspace/settings/settings.queries.ts'
import type { ForecastSource } from './forecast-source.ts'
import { findFirstTeams, listForecastUserRows } from './forecast-users.queries.ts'
import { toForecastUser } from './forecast-users.rules.ts'

type ForecastUsersContext = { source: ForecastSource | undefined; now: Date }

export async function listForecastUsers(
  tx: TenantTx,
  viewer: UserActor,
  page: PageQuery,
  { source, now }: ForecastUsersContext,
) {
  const { currency } = await readSettings(tx, 'general')
  const period = await currentFiscalQuarter(tx, now)
  const { items, ...rest } = await listForecastUserRows(tx, page)

  const canSeeFigures = source !== undefined && viewer.scopes.has(source.scope)
  const ids = items.map(({ id }) => id)
  const figures = canSeeFigures ? await source.load(tx, viewer, ids, period) : null
  const teams = await findFirstTeams(tx, ids)
  const forecast = items.map((user) => ({
    ...toForecastUser(user, period, currency, figures),
    team: teams.get(user.id) ?? null,
  }))
  return { ...rest, items: forecast }
}

export async function currentFiscalQuarter(tx: TenantTx, now: Date): Promise<Period> {
  const { timezone, fiscal_year_start_month } = await readSettings(tx, 'general')
  return fiscalQuarterOf(dayInTimezone(now, timezone), fiscal_year_start_month)
}
