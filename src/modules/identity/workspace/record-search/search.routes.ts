import type { Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import type { Services } from '#platform/module'
import { toFoundRecordsSchema, toSearchQuerySchema } from './search.schemas.ts'
import { searchRecords } from './search.service.ts'
import { searchSourcePoint } from './search-source.ts'

const searchLimit: RouteLimit = { name: 'record_search', limit: 60, windowSeconds: 60, per: 'user' }

export const recordSearchRoutes =
  ({ clock, registry }: Services): Routes =>
  async (app) => {
    const sources = registry.extensionsOf(searchSourcePoint)

    app.route({
      method: 'GET',
      url: '/api/search',
      config: { scope: 'users.read', anyCredential: true, limits: [searchLimit], tag: 'home' },
      schema: {
        operationId: 'searchRecords',
        summary: 'Search all records',
        description:
          'Finds records of several types by their names and other texts. Records whose name begins with `q` come first. Types without ' +
          'their read scope are left out. At most 60 requests per minute and user.',
        querystring: toSearchQuerySchema(sources),
        response: { 200: toFoundRecordsSchema(sources) },
      },
      handler: (request) =>
        request.inTenant((tx) => searchRecords(tx, request.actor, request.query, { sources, now: clock.now() })),
    })
  }
