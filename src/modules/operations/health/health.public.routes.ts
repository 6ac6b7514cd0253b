import type { Cache } from '#platform/cache'
import type { Clock } from '#platform/clock'
import type { Db } from '#platform/db'
import type { Lifecycle, RouteConfig, Routes } from '#platform/http'
import type { RouteLimit } from '#platform/limits'
import { createDeepHealthCheck } from './deep-health.ts'
import { probeResponse, toReadiness } from './health.rules.ts'
import { DeepHealth, Liveness, Readiness } from './health.schemas.ts'

export type HealthServices = { db: Db; cache: Cache; clock: Clock; lifecycle: Lifecycle }

const config: RouteConfig = { public: true, anyHost: true, servedUnderLoad: true, tag: 'health' }
const probe: RouteConfig = { ...config, unlimited: true }
const deepHealthLimit: RouteLimit = { name: 'health_deep', limit: 60, windowSeconds: 60, per: 'network' }

export const publicHealthRoutes =
  ({ db, cache, clock, lifecycle }: HealthServices): Routes =>
  async (app) => {
    const getDeepHealth = createDeepHealthCheck({ db, cache, clock })

    app.route({
      method: 'GET',
      url: '/health',
      config: probe,
      schema: {
        operationId: 'getLiveness',
        summary: 'Get the liveness of the process',
        description: 'Liveness probe: returns 200 while the process runs. Does not use the database or the cache.',
        response: { 200: Liveness },
      },
      handler: async () => ({ status: 'ok' as const }),
    })

    app.route({
      method: 'GET',
      url: '/api/health',
      config: probe,
      schema: {
        operationId: 'getReadiness',
        summary: 'Get the readiness of the process',
        description:
          'Readiness probe: returns 503 while the process starts or drains. Does not use the database or the cache.',
        response: { 200: Readiness, 503: Readiness },
      },
      handler: async (_request, reply) => {
        const { code, headers } = probeResponse(lifecycle.state === 'ready')
        return reply.code(code).headers(headers).send(toReadiness(lifecycle, clock.now()))
      },
    })

    app.route({
      method: 'GET',
      url: '/api/health/deep',
      config: { ...config, limits: [deepHealthLimit] },
      schema: {
        operationId: 'getDeepHealth',
        summary: 'Get database and cache health',
        description:
          'Returns `degraded` if only the cache is unavailable, and 503 with `down` if the database is. Results are shared for two seconds.',
        response: { 200: DeepHealth, 503: DeepHealth },
      },
      handler: async (_request, reply) => {
        const health = await getDeepHealth()
        const { code, headers } = probeResponse(health.status !== 'down')
        return reply.code(code).headers(headers).send(health)
      },
    })
  }
