import { SerializerSelector } from '@fastify/fast-json-stringify-compiler'
import helmet from '@fastify/helmet'
import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import type { Db } from '#platform/db'
import { unavailable } from '#platform/errors'
import { type Gatekeeper, registerAccessControl } from './access-control.ts'
import { registerIdempotency } from './idempotency-key.ts'
import { registerJsonParser } from './json-body.ts'
import { closeGracefully, type Lifecycle } from './lifecycle.ts'
import { registerOpenApi } from './openapi/openapi.ts'
import { registerErrorHandler } from './problem.ts'
import { registerReferenceRoutes } from './reference/reference.routes.ts'
import { registerResponseConventions, requestId } from './response-conventions.ts'
import { registerValidation } from './validation.ts'

const megabyte = 1_048_576

export type HttpServices = {
  db: Db
  config: Config
  clock: Clock
  gatekeeper: Gatekeeper
  lifecycle: Lifecycle
  log?: FastifyBaseLogger
}

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
    schemaController: { compilersFactory: { buildSerializer } },
    exposeHeadRoutes: false,
    // registerResponseConventions logs each request once, after the response.
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance
  app.server.maxConnections = 4_000

  registerJsonParser(app)
  registerValidation(app)
  registerErrorHandler(app)
  registerResponseConventions(app)
  closeGracefully(app, lifecycle)
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: { defaultSrc: ["'none'"], frameAncestors: ["'none'"] } },
  })
  if (config.OVERLOAD_DELAY_MS) await app.register(underPressure, overloadOptions(config.OVERLOAD_DELAY_MS))
  registerAccessControl(app, { db, config, clock, gatekeeper })
  registerIdempotency(app, db)
  await registerOpenApi(app)
  registerReferenceRoutes(app)
  return app
}

const createSerializerFactory = SerializerSelector()

const buildSerializer: typeof createSerializerFactory = (externalSchemas, options) => {
  const compile = createSerializerFactory(externalSchemas, options)
  return (route) => {
    let serialize: ReturnType<typeof compile> | undefined
    return (value) => {
      serialize ??= compile(route)
      return serialize(value)
    }
  }
}

const overloadOptions = (maxEventLoopDelay: number): FastifyUnderPressureOptions => ({
  maxEventLoopDelay,
  pressureHandler: (request, _reply, _type, value) => {
    // A single long pause, as at start, is reported as infinite.
    if (value === Number.POSITIVE_INFINITY || request.routeOptions.config.vital) return
    throw unavailable('The service is overloaded. Try again in a moment.')
  },
})
