import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import type { Clock } from '#platform/clock'
import type { Config } from '#platform/config'
import { countWaitingForPool, type Db } from '#platform/db'
import { OverloadedError } from '#platform/errors'
import type { UsageCounter } from '#platform/usage'
import { registerAccessControl } from './access-control.ts'
import { collectMethods } from './allowed-methods.ts'
import { registerOtherParsers } from './body/body-kind.ts'
import { limitBodies } from './body/body-limits.ts'
import { registerJsonParser } from './body/json-body.ts'
import type { Gatekeeper } from './gatekeeper.ts'
import { addHeadRoutes } from './head-routes.ts'
import { registerIdempotency } from './idempotency-key.ts'
import { closeGracefully, type Lifecycle } from './lifecycle.ts'
import { rejectClientError } from './network/client-errors.ts'
import { createClientAddresses } from './network/client-ip.ts'
import { limitConnections } from './network/connection-limits.ts'
import { createFloodDelay } from './network/flood-delay.ts'
import { toRoutableTarget } from './network/request-target.ts'
import { registerOpenApi } from './openapi/openapi.ts'
import type { WebhookDescription } from './openapi/webhooks.ts'
import { registerErrorHandler } from './problem.ts'
import { registerCors } from './public/cors.ts'
import { registerReferenceRoutes } from './reference/reference.routes.ts'
import { onRequestEnd } from './request-end.ts'
import { registerResponseConventions, requestId } from './response-conventions.ts'
import { buildSerializer } from './serializer.ts'
import { registerValidation } from './validation/validation.ts'

const maxHeaderSize = 16_384

export type HttpServices = {
  db: Db
  config: Config
  clock: Clock
  gatekeeper: Gatekeeper
  lifecycle: Lifecycle
  usage: UsageCounter
  log?: FastifyBaseLogger
  /** Called when the OpenAPI document is generated. */
  listWebhooks?: () => readonly WebhookDescription[]
}

export async function createHttp({
  db,
  config,
  clock,
  gatekeeper,
  lifecycle,
  usage,
  log,
  listWebhooks = () => [],
}: HttpServices): Promise<FastifyInstance> {
  const app = Fastify({
    ...(log ? { loggerInstance: log } : { logger: false }),
    genReqId: requestId,
    requestTimeout: 300_000,
    keepAliveTimeout: 72_000,
    http: { maxHeaderSize, headersTimeout: 10_000, connectionsCheckingInterval: 2_000, requireHostHeader: false },
    rewriteUrl: toRoutableTarget,
    routerOptions: { ignoreTrailingSlash: true, maxParamLength: maxHeaderSize },
    clientErrorHandler: (error, socket) => rejectClientError(app.log, error, socket),
    schemaController: { compilersFactory: { buildSerializer } },
    exposeHeadRoutes: false,
    // registerResponseConventions logs each request once, after the response.
    logController: new LogController({ disableRequestLogging: true }),
  }) as unknown as FastifyInstance
  const addresses = createClientAddresses(config.TRUSTED_PROXIES)
  app.server.maxConnections = 4_000
  app.server.on('checkExpectation', (request, response) => app.server.emit('request', request, response))
  limitConnections(app.server, addresses)

  const describeUnmatched = collectMethods(app)
  limitBodies(app)
  registerJsonParser(app)
  registerOtherParsers(app)
  addHeadRoutes(app)
  registerValidation(app)
  registerErrorHandler(app, describeUnmatched)
  registerResponseConventions(app, log)
  registerCors(app)
  closeGracefully(app, lifecycle)
  if (config.OVERLOAD_DELAY_MS) await app.register(underPressure, overloadOptions(config.OVERLOAD_DELAY_MS))
  rejectWhileManyWait(app, db, config.DATABASE_MAX_WAITING)
  const delayFlood = createFloodDelay()
  registerAccessControl(app, { db, config, clock, gatekeeper, addresses, delayFlood, describeUnmatched })
  registerIdempotency(app, db)
  countUsage(app, usage)
  await registerOpenApi(app, listWebhooks)
  registerReferenceRoutes(app)
  return app
}

const overloadOptions = (maxEventLoopDelay: number): FastifyUnderPressureOptions => ({
  maxEventLoopDelay,
  pressureHandler: (request, _reply, _type, value) => {
    // A single long pause, as at start, is reported as infinite.
    if (value === Number.POSITIVE_INFINITY || request.routeOptions.config.vital) return
    throw new OverloadedError()
  },
})

/** Checked once per request, so that an admitted request gets all the connections it needs. */
function rejectWhileManyWait(app: FastifyInstance, db: Db, maxWaiting: number): void {
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (countWaitingForPool(db) >= maxWaiting && !routeOptions.config.vital) throw new OverloadedError()
  })
}

function countUsage(app: FastifyInstance, usage: UsageCounter): void {
  onRequestEnd(app, ({ tenant }, { status }) => {
    if (!tenant) return
    usage.count(tenant.id, 'api_requests')
    if (status >= 500) usage.count(tenant.id, 'api_errors')
  })
}
