import type { Scope, UserActor } from '#platform/access'
import type { TenantTx } from '#platform/db'
import { defineExtensionPoint } from '#platform/module'

/** Totals of the deals of one user, in minor units of the base currency. */
export type ForecastFigures = { open_minor: number; weighted_minor: number; won_minor: number; open_count: number }

/** Loads the figures of all users of a page in one query. Users without open or won deals are missing in the map. */
export type ForecastSource = {
  scope: Scope
  load(
    tx: TenantTx,
    viewer: UserActor,
    userIds: string[],
    period: { start_on: string; end_on: string },
  ): Promise<Map<string, ForecastFigures>>
}

export const forecastSourcePoint = defineExtensionPoint<ForecastSource>('source of the user forecast')
