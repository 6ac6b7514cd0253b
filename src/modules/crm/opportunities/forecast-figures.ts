import type { ForecastSource } from '#platform/module'
import { roundSteps } from './amounts.rules.ts'
import { sumByOwner } from './forecast.queries.ts'

/** What the deals of people are worth, for the forecast of users. */
export const forecastFigures: ForecastSource = {
  scope: 'opportunities.read',
  async load(tx, _viewer, userIds, { start_on, end_on }) {
    const sums = await sumByOwner(tx, userIds, { from: start_on, to: end_on })
    return new Map(
      sums.map(({ owner_id, open, weighted, won, open_count }) => [
        owner_id,
        {
          open_minor: Number(open),
          weighted_minor: Number(roundSteps(BigInt(weighted))),
          won_minor: Number(won),
          open_count,
        },
      ]),
    )
  },
}
