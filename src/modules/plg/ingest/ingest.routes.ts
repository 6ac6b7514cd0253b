import type { Routes } from '#platform/http'
import type { Services } from '#platform/module'
import { ingestEvents } from './ingest.flow.ts'
import { EventBatch, IngestQuery, IngestReport } from './ingest.schemas.ts'

const mebibyte = 1_048_576

export const ingestRoutes =
  (services: Services): Routes =>
  async (app) => {
    app.route({
      method: 'POST',
      url: '/api/tenant/plg/events',
      config: {
        scope: 'plg.write',
        body: 'gzip json',
        bodyLimit: 5 * mebibyte,
        jsonSize: { values: 150_000, keys: 120_000, depth: 6 },
        successStatus: 200,
      },
      schema: {
        operationId: 'ingestEvents',
        summary: 'Send usage events',
        description:
          'Stores up to 1,000 events, at most 5 MiB of JSON, which may be compressed with gzip. Each event is accepted, a duplicate, or rejected with the reason; the others are stored nevertheless. When the response arrives, the events are part of all numbers. If no event is valid, the response is 422. Links to leads and contacts follow within a minute. Use an API key with the scope `plg.write` only.',
        querystring: IngestQuery,
        body: EventBatch,
        response: { 200: IngestReport },
      },
      handler: (request) => {
        const { actor, body, query } = request
        const inTenant = request.inTenant.bind(request)
        return ingestEvents(services, { actor, body, isStrict: query.strict, inTenant })
      },
    })
  }
