import fp from 'fastify-plugin'
import type { Metrics } from './metrics.ts'

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export const measureRequests = fp<{ metrics: Metrics }>(
  async (app, { metrics }) => {
    const observe = metrics.histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from receiving a request to the end of its response.',
      labels: ['method', 'route', 'status'],
      buckets,
    })
    app.addHook('onResponse', async (request, reply) => {
      const route = request.routeOptions.url ?? 'unmatched'
      const status = `${Math.floor(reply.statusCode / 100)}xx`
      observe(reply.elapsedTime / 1_000, { method: request.method, route, status })
    })
  },
  { name: 'measure-requests' },
)
