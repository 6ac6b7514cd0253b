import helmet from '@fastify/helmet'
import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Db } from '#platform/db'
import { unavailable } from '#platform/errors'
import { parseJsonOnly } from './body.ts'
import { followConventions, requestId } from './conventions.ts'
import { type Gatekeeper, guardRoutes } from './gate.ts'
import { repeatSafely } from './idempotent.ts'
import { closeGracefully, type Lifecycle } from './lifecycle.ts'
import { describeApi } from './openapi.ts'
import { answerProblems } from './problem.ts'
import { serveReference } from './reference.ts'
import { validateStrictly } from './validation.ts'

const megabyte = 1_048_576

export type HttpServices = {
  db: Db
  config: Config
  clock: Clock
  gatekeeper: Gatekeeper
  lifecycle: Lifecycle
  log?: FastifyBaseLogger
}

/** The HTTP application without a route of any module: everything that is the same for all of them. */
export async function createHttp({
  db,
  config,
  clock,
  gatekeeper,
  lifecycle,
  log,
}: HttpServices): Promise<FastifyInstance> {
  const app = Fastify({
    ...(log ? { loggerInstance: log } : { logger: false }),
    genReqId: requestId,
    bodyLimit: megabyte,
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize: 16_384, headersTimeout: 10_000 },
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: 500 },
    exposeHeadRoutes: false,
    // Each request is logged once, when it has been answered, with the template of its route: see followConventions.
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance
  app.server.maxConnections = 4_000

  parseJsonOnly(app)
  validateStrictly(app)
  answerProblems(app)
  followConventions(app)
  closeGracefully(app, lifecycle)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  })
  if (config.OVERLOAD_DELAY_MS) await app.register(underPressure, turningAway(config.OVERLOAD_DELAY_MS))
  guardRoutes(app, { db, config, clock, gatekeeper })
  repeatSafely(app, db)
  await describeApi(app)
  serveReference(app)
  return app
}

/** On overload most requests are turned away early, so that what keeps people going stays alive. */
const turningAway = (maxEventLoopDelay: number): FastifyUnderPressureOptions => ({
  maxEventLoopDelay,
  pressureHandler: (request, _reply, _type, value) => {
    // A single long pause, as at start, is reported as endless.
    if (value === Number.POSITIVE_INFINITY || request.routeOptions.config.vital) return
    throw unavailable('The service has more to do than it can. Try again in a moment.')
  },
})
