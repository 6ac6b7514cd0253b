import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import { listSlowStatements } from '#platform/usage'
import { readStatementStats } from './slow-queries.flow.ts'
import { SlowQueries, SlowQueriesQuery } from './slow-queries.schemas.ts'

const limit: RouteLimit = { name: 'slow_queries', limit: 60, windowSeconds: 60, per: 'user' }
const maxSamples = 50

export const slowQueriesRoutes: Routes = async (app) => {
  app.route({
    method: 'GET',
    url: '/api/admin/slow-queries',
    config: { scope: 'admin.read', limits: [limit] },
    schema: {
      operationId: 'listSlowQueries',
      summary: 'List slow database statements',
      description:
        'Statistics of all statements of this service from `pg_stat_statements`, without values, and samples of slow statements of this ' +
        'workspace. Samples are kept for seven days.',
      querystring: SlowQueriesQuery,
      response: { 200: SlowQueries },
    },
    handler: async (request) => {
      const inTenant = request.inTenant.bind(request)
      const stats = await readStatementStats(inTenant, request.query)
      return { ...stats, samples: await inTenant((tx) => listSlowStatements(tx, maxSamples)) }
    },
  })
}
