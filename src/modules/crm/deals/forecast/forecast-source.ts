import type { ForecastSource } from '#modules/identity'
import { roundBasisPoints } from '../pipelines/pipelines.rules.ts'
import { sumForecastByOwner } from './forecast.queries.ts'

/** Sums of deals per owner, for `/api/users/forecast-users`. */
export const forecastSource: ForecastSource = {
  scope: 'opportunities.read',
  async load(tx, _viewer, userIds, { start_on, end_on }) {
    const sums = await sumForecastByOwner(tx, userIds, { from: start_on, to: end_on })
    return new Map(
      sums.map(({ owner_id, open, weighted, won, open_count }) => [
        owner_id,
        {
          open_minor: Number(open),
          weighted_minor: Number(roundBasisPoints(BigInt(weighted))),
          won_minor: Number(won),
          open_count,
        },
      ]),
    )
  },
}
