import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { assertFreshLogin, baselineScope, publicActor, type Scope, type Trace } from '#platform/access'
import type { Clock } from '#platform/clock'
import { createSemaphore } from '#platform/concurrency'
import type { Config } from '#platform/config'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import { AppError, forbidden, notFound, roleRequired, scopeRequired, unauthenticated } from '#platform/errors'
import { networkOf } from '#platform/limits'
import { trimEndOf } from '#platform/text'
import type { DescribeUnmatched } from './allowed-methods.ts'
import type { ApplicationFiles } from './application/application-files.ts'
import { opensApplication } from './application/application-page.ts'
import type { Authentication, CountedRequest, RequestAuthenticator } from './authentication.ts'
import { assertPublicRouteDeclared, registerTokenRoutes } from './public/public-routes.ts'
import { type ClientAddresses, readCredential, readHost } from './read-request.ts'
import { toRequestOutcome } from './request-outcome.ts'
import { onRequestEnd } from './response-conventions.ts'
import type { RouteConfig } from './route-config.ts'

/** An exact count reads every matching row, so a workspace makes one at a time and waits for the others. */
const createExactCountLimit = () => createSemaphore({ concurrency: 2, maxPerKey: 1, maxQueued: 200, maxWaitMs: 10_000 })

const countsExactly = ({ query, body }: Pick<FastifyRequest, 'query' | 'body'>): boolean =>
  [query, body].some((input) => (input as { count?: unknown } | null | undefined)?.count === 'exact')

export type AccessControlServices = {
  db: Db
  config: Config
  clock: Clock
  authenticator: RequestAuthenticator
  addresses: ClientAddresses
  delayFlood: (network: string) => Promise<void>
  describeUnmatched: DescribeUnmatched
  applicationFiles?: ApplicationFiles
}

/** Checks rate limits, host, credential, actor and scope of every request, in this order, before the body is read. */
export function registerAccessControl(app: FastifyInstance, services: AccessControlServices): void {
  const { db, authenticator, addresses } = services
  const limitExactCounts = createExactCountLimit()
  app.decorateRequest('actor')
  app.decorateRequest('tenant')
  app.decorateRequest('ticket')
  app.decorateRequest('inTenant', function (this: FastifyRequest, work: (tx: TenantTx) => Promise<unknown>) {
    const actor = this.actor ?? publicActor(this.tenant.id, traceOf(this, addresses))
    const run = () => inTenant(db, actor, work)
    return countsExactly(this) ? limitExactCounts(actor.tenantId, run) : run()
  } as FastifyRequest['inTenant'])
  app.decorateRequest('enterTenant', async function (this: FastifyRequest, slug: string) {
    const trace = traceOf(this, addresses)
    const authentication = await authenticator.authenticate({ slug, credential: null, trace })
    assertNotInMaintenance(this, authentication)
    this.tenant = authentication.tenant
  })
  app.addHook('onRoute', assertAccessDeclared)
  app.addHook('onRoute', assertPublicRouteDeclared)
  registerTokenRoutes(app)
  // A network cannot try many unknown tokens.
  onRequestEnd(app, (request, { status }) => {
    if (status !== 404 || request.routeOptions.config.verifyToken || tokenOf(request) === undefined) return
    authenticator.countUnknownToken({ ip: addresses.ipOf(request.raw), slug: findSlug(request, services.config) })
  })
  onRequestEnd(app, (request, { status }) => {
    const { actor, routeOptions } = request
    if (actor && authenticator.requiresAudit(actor, routeOptions.url!))
      authenticator.auditRequest(toRequestOutcome(request, status))
  })

  app.addHook('onRequest', async (request, reply) => {
    const route = request.routeOptions.config
    if (route.unlimited || (request.is404 && services.applicationFiles && opensApplication(request))) {
      assertUnambiguous(request)
      return
    }
    const counted = await countOrClose(request, reply, services)
    reply.headers(counted.headers)
    let authentication: Authentication | undefined
    try {
      assertUnambiguous(request)
      if (counted.hasWrongToken) throw notFound('link')
      authentication = await authenticate(request, reply, services, counted)
      if (authentication) {
        authorize(request, authentication, services)
        assertNotInMaintenance(request, authentication)
      }
    } catch (error) {
      await counted.countRefused(error, authentication)
      throw error
    }
    if (authentication) reply.headers(await counted.countAccepted(authentication, route.limits))
  })
}

/** Returns the token in the path of a public route, such as a share link. */
function tokenOf({ params, routeOptions }: FastifyRequest): string | undefined {
  const { tokenParam } = routeOptions.config
  return tokenParam === undefined ? undefined : (params as Record<string, string>)[tokenParam]
}

/** Closes the connection of a caller that is over its limit, unless it belongs to a proxy, which shares it among callers. */
async function countOrClose(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, authenticator, addresses, delayFlood }: AccessControlServices,
): Promise<CountedRequest> {
  const { raw, routeOptions } = request
  const { config: route } = routeOptions
  const ip = addresses.ipOf(raw)
  try {
    return await authenticator.countRequest({
      ip,
      slug: findSlug(request, config),
      authorization: readsCredential(request) ? raw.headers.authorization : undefined,
      limits: route.public && route.limits,
      networkLimit: route.public && route.networkLimit,
      token: tokenOf(request),
      verifyToken: route.verifyToken,
      params: request.params as Record<string, string>,
    })
  } catch (error) {
    await delayFlood(networkOf(ip))
    if (!addresses.isProxied(raw)) reply.header('connection', 'close')
    throw error
  }
}

async function authenticate(
  request: FastifyRequest,
  reply: FastifyReply,
  { config, authenticator, addresses, describeUnmatched }: AccessControlServices,
  counted: CountedRequest,
): Promise<Authentication | undefined> {
  if (request.routeOptions.config.anyHost) return undefined
  const slug = findSlug(request, config)
  if (!slug)
    throw new AppError(
      404,
      'tenant_not_found',
      'No workspace has this host name. Check the first part of the host name.',
    )
  if (request.is404) throw describeUnmatched(request)

  const credential = readsCredential(request) ? readCredential(request.headers.authorization) : null
  const trace = traceOf(request, addresses)
  counted.startCounting(request.routeOptions.config.limits)
  const authentication = await authenticator.authenticate({ slug, credential, trace, isKnown: counted.isKnown })
  const { actor, tenant } = authentication
  request.tenant = tenant
  if (actor) {
    request.actor = actor
    if (actor.actorUserId) reply.header('x-impersonated-by', actor.actorUserId)
  }
  return authentication
}

const readsCredential = (request: FastifyRequest): boolean => {
  const { public: isPublic, optionalAuth } = request.routeOptions.config
  return (!isPublic || optionalAuth === true) && ticketOf(request) === undefined
}

function ticketOf({ routeOptions, query }: FastifyRequest): string | undefined {
  const { ticket } = query as { ticket?: unknown }
  return routeOptions.config.verifyTicket && ticket !== undefined ? String(ticket) : undefined
}

function authorize(request: FastifyRequest, authentication: Authentication, services: AccessControlServices): void {
  const ticket = ticketOf(request)
  if (ticket === undefined) assertAllowed(request, authentication, services)
  else request.ticket = request.routeOptions.config.verifyTicket!(ticket, authentication.tenant.id)
}

function assertAllowed(
  request: FastifyRequest,
  authentication: Authentication,
  { authenticator, clock }: AccessControlServices,
): void {
  const { method, routeOptions } = request
  const { actor, restriction, isReadOnly } = authentication
  const route: RouteConfig = routeOptions.config
  if (route.public && !actor) return
  if (!actor) throw unauthenticated()
  if (restriction && !isAllowedFor(restriction, routeOptions.url!, route))
    throw forbidden(restriction.code, restriction.message)
  if (isReadOnly && method !== 'GET' && method !== 'HEAD')
    throw forbidden('read_only_key', 'This API key is read-only. Use another API key to make changes.')
  if ((route.humanOnly || route.signedIn) && actor.type === 'api_key')
    throw forbidden('session_required', 'This endpoint does not accept API keys. Sign in and send the access token.')
  if (actor.type === 'impersonation' && authenticator.isForbiddenForImpersonation(method, routeOptions.url!, route))
    throw forbidden('impersonation_not_allowed', 'This action is not allowed while impersonating a user.')

  const scopes = [route.scope, ...(route.scopes ?? []), findScopeByParam(request.params, route)]
  for (const scope of route.anyCredential ? [] : scopes) {
    if (scope && !actor.scopes.has(scope)) throw scopeRequired(scope)
  }
  if (route.roles && !route.roles.includes(actor.role))
    throw roleRequired(`The role ${route.roles.join(' or ')} is required.`)
  if (route.freshLogin) assertFreshLogin(actor, clock.now())
}

function findScopeByParam(params: unknown, { scopeByParam }: RouteConfig): Scope | undefined {
  const value = scopeByParam && (params as Record<string, string>)[scopeByParam.name]
  return value !== undefined && Object.hasOwn(scopeByParam!.scopes, value) ? scopeByParam!.scopes[value] : undefined
}

/** Users with an unverified email address can manage their own account only. */
const isAllowedFor = (
  { code }: NonNullable<Authentication['restriction']>,
  url: string,
  { limitedSession }: RouteConfig,
) => limitedSession || (code === 'email_verification_required' && url.startsWith('/api/auth/'))

const writableAreas = /^\/api\/(auth|users|admin)(\/|$)/

/** Rejects writes while a workspace is in maintenance. Decided by path, so that new routes are covered. */
function assertNotInMaintenance({ method, routeOptions }: FastifyRequest, { isInMaintenance }: Authentication): void {
  if (!isInMaintenance || method === 'GET' || method === 'HEAD') return
  if (routeOptions.config.allowedInMaintenance || writableAreas.test(routeOptions.url!)) return
  throw new AppError(
    409,
    'tenant_in_maintenance',
    'The workspace is in maintenance and cannot be changed. Try again in 30 seconds.',
    { headers: { 'retry-after': '30' } },
  )
}

export function assertAccessDeclared({ method, url, config = {} }: RouteOptions): void {
  const { scope, signedIn, public: isPublic, verifyTicket } = config as RouteConfig
  if (verifyTicket && [method].flat().some((verb) => verb !== 'GET' && verb !== 'HEAD'))
    throw new Error(`${method} ${url} must not accept tickets, because they are for reading`)
  if ([scope, signedIn, isPublic].filter(Boolean).length !== 1)
    throw new Error(`${method} ${url} must declare config.scope, config.signedIn or config.public`)
  if (isPublic) return
  for (const verb of [method].flat()) {
    const expected = baselineScope(verb, url)
    if (scope && !expected) throw new Error(describeMissingResource(url))
    if (scope !== expected) throw new Error(`${verb} ${url} must declare config.scope '${expected}'`)
  }
}

const describeMissingResource = (url: string): string =>
  `No resource is registered for ${trimEndOf(url.split('/:')[0]!, /\//)}: ` +
  'add it to src/platform/access/scopes.ts and src/platform/access/roles.ts'

function findSlug({ raw }: FastifyRequest, config: Config): string | undefined {
  const host = readHost(raw.headers.host, config.APP_DOMAIN)
  return (host.kind === 'tenant' ? host.slug : config.DEFAULT_TENANT_SLUG) || undefined
}

/** Rejects missing and duplicate Host headers, duplicate Authorization headers and absolute-form targets (request smuggling). */
function assertUnambiguous({ raw, originalUrl }: FastifyRequest): void {
  const hosts = countHeader(raw.rawHeaders, 'host')
  assertSentOnce('host', hosts)
  assertSentOnce('authorization', countHeader(raw.rawHeaders, 'authorization'))
  if (raw.httpVersion === '1.1' && hosts === 0)
    throw new AppError(422, 'validation_failed', 'The header `host` is required.')
  if (!originalUrl.startsWith('/')) throw new AppError(422, 'validation_failed', 'The request target must be a path.')
}

function countHeader(rawHeaders: readonly string[], name: string): number {
  let count = 0
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const sent = rawHeaders[index]!
    if (sent.length === name.length && sent.toLowerCase() === name) count++
  }
  return count
}

function assertSentOnce(name: string, count: number): void {
  if (count > 1) throw new AppError(422, 'validation_failed', `The header \`${name}\` must not be sent more than once.`)
}

function traceOf(request: FastifyRequest, { ipOf }: ClientAddresses): Trace {
  const agent = request.headers['user-agent']
  return { requestId: request.id, ip: ipOf(request.raw), userAgent: agent ? agent.slice(0, 512) : null }
}
