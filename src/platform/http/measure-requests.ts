import type { FastifyInstance } from 'fastify'
import { OverloadedError } from '#platform/errors'
import type { Metrics } from '#platform/telemetry'
import { onRequestEnd } from './response-conventions.ts'

const buckets = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

export function measureRequests(app: FastifyInstance, metrics: Metrics): void {
  const observe = metrics.histogram({
    name: 'http_request_duration_seconds',
    help: 'Time from receiving a request to the end of its response.',
    labels: ['method', 'route', 'status'],
    buckets,
  })
  const countDisconnect = metrics.counter({
    name: 'http_client_disconnects_total',
    help: 'Requests whose client disconnected before the end of the response.',
    labels: ['method', 'route'],
  })
  const countRejected = metrics.counter({
    name: 'http_requests_rejected_total',
    help: 'Requests rejected with 503 before any work, because the process is overloaded.',
  })
  app.addHook('onError', async (_request, _reply, error) => {
    if (error instanceof OverloadedError) countRejected()
  })
  const countParserError = metrics.counter({
    name: 'http_parser_errors_total',
    help: 'Requests that the HTTP parser rejected, by its error code.',
    labels: ['code'],
  })
  app.server.on('clientError', ({ code = 'unknown' }: Error & { code?: string }) => countParserError({ code }))
  onRequestEnd(app, ({ method, routeOptions }, { status, hasClientDisconnected, seconds }) => {
    const route = routeOptions.url ?? 'unmatched'
    observe(seconds, { method, route, status: `${Math.floor(status / 100)}xx` })
    if (hasClientDisconnected) countDisconnect({ method, route })
  })
}
