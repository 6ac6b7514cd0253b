import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { CoachingStats, StatsQuery } from './stats.schemas.ts'
import { getMyCoachingStats } from './stats.service.ts'

export const coachingStatsRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'GET',
      url: '/api/enablement/coaching/my-stats',
      config: { scope: 'coaching.read' },
      schema: {
        operationId: 'getMyCoachingStats',
        summary: 'Get own coaching statistics',
        description:
          'Completed sessions and finished roleplays of the caller in the period. Private sessions and those that were too short to be scored do not count.',
        querystring: StatsQuery,
        response: { 200: CoachingStats },
      },
      handler: (request) => {
        const period = { days: request.query.days, now: services.clock.now() }
        return request.inTenant((tx) => getMyCoachingStats(tx, request.actor, period))
      },
    })
  }
