import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import type { Db } from '#platform/db'
import type { Lifecycle, RouteConfig, Routes } from '#platform/http'
import { openDeepCheck } from './deep-check.ts'
import { answerTo, readinessOf } from './health.rules.ts'
import { Alive, DeepHealth, Readiness } from './health.schemas.ts'

export type HealthServices = { db: Db; cache: Cache; clock: Clock; lifecycle: Lifecycle }

const config: RouteConfig = { public: true, anyHost: true, vital: true, tag: 'health' }

export const publicHealthRoutes =
  ({ db, cache, clock, lifecycle }: HealthServices): Routes =>
  async (app) => {
    const checkDeeply = openDeepCheck({ db, cache, clock })

    app.route({
      method: 'GET',
      url: '/health',
      config,
      schema: {
        operationId: 'tellAlive',
        summary: 'Is the process alive? Touches nothing',
        response: { 200: Alive },
      },
      handler: async () => ({ status: 'ok' as const }),
    })

    app.route({
      method: 'GET',
      url: '/api/health',
      config,
      schema: {
        operationId: 'tellReadiness',
        summary: 'Does the process take requests?',
        response: { 200: Readiness, 503: Readiness },
      },
      handler: async (_request, reply) => {
        const { code, headers } = answerTo(lifecycle.state === 'ready')
        return reply.code(code).headers(headers).send(readinessOf(lifecycle, clock.now()))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/health/deep',
      config: { ...config, limit: 'healthDeep' },
      schema: {
        operationId: 'checkDeeply',
        summary: 'Do the database and the cache answer?',
        description: 'Without the cache the service goes on (`degraded`); without the database it does not (`down`).',
        response: { 200: DeepHealth, 503: DeepHealth },
      },
      handler: async (_request, reply) => {
        const health = await checkDeeply()
        const { code, headers } = answerTo(health.status !== 'down')
        return reply.code(code).headers(headers).send(health)
      },
    })
  }
