import type { Clock } from '#platform/clock'
import { createSemaphore } from '#platform/concurrency'
import type { Config } from '#platform/config'
import { countWaitingForPool, type Db } from '#platform/db'
import { type ErrorCatalogue, OverloadedError } from '#platform/errors'
import type { UsageCounter } from '#platform/usage'
import { runAsWork } from '#platform/watchdog'
import { type AccessControlServices, registerAccessControl } from './access-control.ts'
import { collectMethods } from './allowed-methods.ts'
import { registerApplicationRoutes } from './application/application.routes.ts'
import type { ApplicationFiles } from './application/application-files.ts'
import type { RequestAuthenticator } from './authentication.ts'
import { registerOtherParsers } from './body/body-kind.ts'
import { limitBodies } from './body/body-limits.ts'
import { registerJsonParser } from './body/json-body.ts'
import { registerIdempotency } from './idempotency-key.ts'
import { rejectClientError } from './network/client-errors.ts'
import { compressJson } from './network/compress-json.ts'
import { createFloodDelay, limitConnections } from './network/connection-limits.ts'
import { type ApiTexts, registerOpenApi } from './openapi/openapi.ts'
import { registerErrorHandler } from './problem.ts'
import { registerAssetRoutes } from './public/asset.routes.ts'
import { registerCors } from './public/public-routes.ts'
import { createClientAddresses, toRoutableTarget } from './read-request.ts'
import { registerReferenceRoutes } from './reference/reference.routes.ts'
import { onRequestEnd, registerResponseConventions, requestId } from './response-conventions.ts'
import { buildSerializer, registerValidation } from './validation/validation.ts'

/** One more than the connections of a workspace in the default pool, so that a connection never waits for a request. */
const maxPerTenant = 6
const queue = { maxQueued: 1_000, maxWaitMs: 10_000 }
/** A request that takes longer waits for something other than the event loop, such as a lock or a model. */
const maxHeldMs = 100

/**
 * Limits the requests that a workspace has in progress, so that the requests of others find few callbacks before theirs in the event
 * loop. A request enters when its body has arrived, so a slow client holds no slot.
 */
export function limitRequestsInProgress(app: FastifyInstance): void {
  const semaphore = createSemaphore({ concurrency: Number.POSITIVE_INFINITY, maxPerKey: maxPerTenant, ...queue })
  const releases = new WeakMap<FastifyRequest, () => void>()

  app.addHook('preValidation', async (request) => {
    const { tenant, routeOptions } = request
    if (!tenant || routeOptions.config.servedUnderLoad) return
    const release = releaseOnce(await semaphore.acquire(tenant.id))
    releases.set(request, release)
    if (request.raw.destroyed) release()
  })
  app.addHook('onSend', async (request) => releases.get(request)?.())
  onRequestEnd(app, (request) => releases.get(request)?.())
}

function releaseOnce(release: () => void): () => void {
  const timer = setTimeout(end, maxHeldMs)
  let hasEnded = false
  function end(): void {
    if (hasEnded) return
    hasEnded = true
    clearTimeout(timer)
    release()
  }
  return end
}

import underPressure, { type FastifyUnderPressureOptions } from '@fastify/under-pressure'
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'

const maxHeaderSize = 16_384

export type Lifecycle = { state: 'starting' | 'ready' | 'draining' }

export type HttpServices = {
  db: Db
  config: Config
  clock: Clock
  authenticator: RequestAuthenticator
  lifecycle: Lifecycle
  usage: UsageCounter
  log?: FastifyBaseLogger
  errors: ErrorCatalogue
  apiTexts: ApiTexts
  applicationFiles?: ApplicationFiles
}

export async function createHttp(services: HttpServices): Promise<FastifyInstance> {
  const { config, log } = services
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

  const context: StageContext = {
    ...services,
    addresses,
    delayFlood: createFloodDelay(),
    describeUnmatched: collectMethods(app),
  }
  for (const register of stages) await register(app, context)
  return app
}

type StageContext = HttpServices & AccessControlServices
type Stage = (app: FastifyInstance, context: StageContext) => void | Promise<void>

/** The parts of the server. A request passes the hooks of one part before those of the next. */
const stages: readonly Stage[] = [
  namePlugins,
  nameWork,
  limitBodies,
  registerJsonParser,
  registerOtherParsers,
  addHeadRoutes,
  registerValidation,
  registerErrorHandler,
  registerResponseConventions,
  registerCors,
  closeGracefully,
  rejectWhileOverloaded,
  rejectWhileManyWait,
  registerAccessControl,
  limitRequestsInProgress,
  registerIdempotency,
  compressJson,
  countUsage,
  registerOpenApi,
  registerReferenceRoutes,
  registerAssetRoutes,
  registerApplicationRoutes,
]

const displayName = Symbol.for('fastify.display-name')

/** Fastify searches all loaded modules for the file of a plugin without a name, once per plugin, which is a seventh of the start. */
function namePlugins(app: FastifyInstance): void {
  const register = app.register as (plugin: object, options?: object) => unknown
  Object.assign(app, {
    register(this: FastifyInstance, plugin: { name?: string; [displayName]?: string }, options?: object) {
      plugin[displayName] ??= plugin.name || 'routes'
      return register.call(this, plugin, options)
    },
  })
}

/** Names the request for the watchdog, again after the body, whose events are not part of the request. */
function nameWork(app: FastifyInstance): void {
  const nameRequest = (request: FastifyRequest, _reply: FastifyReply, done: () => void) =>
    runAsWork(() => describeRequest(request), done)
  app.addHook('onRequest', nameRequest)
  app.addHook('preValidation', nameRequest)
}

const describeRequest = ({ id, method, routeOptions, tenant }: FastifyRequest) => ({
  route: `${method} ${routeOptions.url ?? 'unmatched'}`,
  tenant_id: tenant?.id,
  request_id: id,
})

/** Lets open requests finish when the server closes. Idle keep-alive connections would delay it, so they are closed. */
function closeGracefully(app: FastifyInstance, { lifecycle }: HttpServices): void {
  app.addHook('preClose', async () => {
    lifecycle.state = 'draining'
    setInterval(() => app.server.closeIdleConnections(), 100).unref()
  })
  app.addHook('onSend', async (_request, reply) => {
    if (lifecycle.state === 'draining') reply.header('connection', 'close')
  })
}

async function rejectWhileOverloaded(app: FastifyInstance, { config }: HttpServices): Promise<void> {
  if (config.OVERLOAD_DELAY_MS) await app.register(underPressure, overloadOptions(config.OVERLOAD_DELAY_MS))
}

const overloadOptions = (maxEventLoopDelay: number): FastifyUnderPressureOptions => ({
  maxEventLoopDelay,
  pressureHandler: (request, _reply, _type, value) => {
    // A single long pause, as at start, is reported as infinite.
    if (value === Number.POSITIVE_INFINITY || request.routeOptions.config.servedUnderLoad) return
    throw new OverloadedError()
  },
})

/** Checked once per request, so that an admitted request gets all the connections it needs. */
function rejectWhileManyWait(app: FastifyInstance, { db, config }: HttpServices): void {
  app.addHook('onRequest', async ({ routeOptions }) => {
    if (countWaitingForPool(db) >= config.DATABASE_MAX_WAITING && !routeOptions.config.servedUnderLoad)
      throw new OverloadedError()
  })
}

function countUsage(app: FastifyInstance, { usage }: HttpServices): void {
  onRequestEnd(app, ({ tenant }, { status }) => {
    if (!tenant) return
    usage.count(tenant.id, 'api_requests')
    if (status >= 500) usage.count(tenant.id, 'api_errors')
  })
}

function addHeadRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', function (this: FastifyInstance, route) {
    if (route.config?.head && route.method === 'GET')
      this.route({ ...route, method: 'HEAD', schema: { ...route.schema, hide: true } })
  })
}
