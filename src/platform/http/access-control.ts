import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { baselineScope, publicActor, type Trace, type UserActor } from '#platform/access'
import { type Clock, secondsLater } from '#platform/clock'
import type { Config } from '#platform/config'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import { AppError, forbidden, roleRequired, routeNotFound, scopeRequired, unauthenticated } from '#platform/errors'
import { createIpResolver } from './client-ip.ts'
import { type Credential, readCredential } from './credential.ts'
import { readHost } from './host.ts'
import { isForbiddenForImpersonation } from './impersonation.ts'
import { type RequestOutcome, reportOutcome } from './request-outcome.ts'
import type { RouteConfig, Workspace } from './route-config.ts'

export type Authentication = {
  tenant: Workspace
  actor: UserActor | null
  restriction: { code: 'password_change_required' | 'email_verification_required'; message: string } | null
  isReadOnly: boolean
  /** Rate limit set by an operator for the API key; null for the default. */
  requestsPerMinute: number | null
  authenticatedAt: Date | null
}

export type Gatekeeper = {
  authenticate(request: { slug: string; credential: Credential | null; trace: Trace }): Promise<Authentication>
  countRequest(caller: {
    ip: string
    actor: UserActor | null
    tenantId?: string
    limit?: string
    requestsPerMinute?: number | null
  }): Promise<Record<string, string>>
  requiresAudit(actor: UserActor, route: string): boolean
  auditRequest(outcome: RequestOutcome): void
}

type AccessControlServices = { db: Db; config: Config; clock: Clock; gatekeeper: Gatekeeper }

const freshLoginSeconds = 15 * 60

/** Checks host, credential, actor and scope of every request, in this order, before the body is read. */
export function registerAccessControl(
  app: FastifyInstance,
  { db, config, clock, gatekeeper }: AccessControlServices,
): void {
  const ipOf = createIpResolver(config.TRUSTED_PROXIES)
  app.decorateRequest('actor')
  app.decorateRequest('tenant')
  app.decorateRequest('inTenant', function (this: FastifyRequest, work: (tx: TenantTx) => Promise<unknown>) {
    return inTenant(db, this.actor ?? publicActor(this.tenant.id, traceOf(this, ipOf)), work)
  } as FastifyRequest['inTenant'])
  app.decorateRequest('enterTenant', async function (this: FastifyRequest, slug: string) {
    const trace = traceOf(this, ipOf)
    this.tenant = (await gatekeeper.authenticate({ slug, credential: null, trace })).tenant
  })
  app.addHook('onRoute', assertAccessDeclared)

  app.addHook('onRequest', async (request, reply) => {
    assertUnambiguous(request)
    const route = request.routeOptions.config
    const trace = traceOf(request, ipOf)
    if (request.is404 || route.anyHost) {
      reply.headers(await gatekeeper.countRequest({ ip: trace.ip, actor: null, limit: route.limit }))
      if (request.is404 && slugOf(request, config)) throw routeNotFound(request)
      return
    }

    const slug = slugOf(request, config)
    const readsCredential = !route.public || route.optionalAuth
    const credential = readsCredential ? readCredential(request.headers.authorization) : null
    const authentication = await authenticateOrCount(gatekeeper, { slug, credential, trace })
    const { actor, tenant } = authentication
    request.tenant = tenant
    if (actor) {
      request.actor = actor
      if (actor.actorUserId) reply.header('x-impersonated-by', actor.actorUserId)
      if (gatekeeper.requiresAudit(actor, request.routeOptions.url!))
        reportOutcome(request, reply, gatekeeper.auditRequest)
    }
    assertAllowed(request, authentication, clock)
    const { requestsPerMinute } = authentication
    const caller = { ip: trace.ip, actor, tenantId: tenant.id, limit: route.limit, requestsPerMinute }
    reply.headers(await gatekeeper.countRequest(caller))
  })
}

/** Failed authentication counts against the anonymous IP limit to slow down guessing. */
async function authenticateOrCount(
  gatekeeper: Gatekeeper,
  request: Parameters<Gatekeeper['authenticate']>[0],
): Promise<Authentication> {
  try {
    return await gatekeeper.authenticate(request)
  } catch (error) {
    const isRejected = error instanceof AppError && (error.status === 401 || error.status === 403)
    if (isRejected) await gatekeeper.countRequest({ ip: request.trace.ip, actor: null })
    throw error
  }
}

function assertAllowed({ method, routeOptions }: FastifyRequest, authentication: Authentication, clock: Clock): void {
  const { actor, restriction, isReadOnly, authenticatedAt } = authentication
  const route: RouteConfig = routeOptions.config
  if (route.public && !actor) return
  if (!actor) throw unauthenticated()
  if (restriction && !isAllowedFor(restriction, routeOptions.url!, route))
    throw forbidden(restriction.code, restriction.message)
  if (isReadOnly && method !== 'GET' && method !== 'HEAD')
    throw forbidden('read_only_key', 'This API key is read-only. Use another API key to make changes.')
  if ((route.humanOnly || route.signedIn) && actor.type === 'api_key')
    throw forbidden('session_required', 'This endpoint does not accept API keys. Sign in and send the access token.')
  if (actor.type === 'impersonation' && isForbiddenForImpersonation(method, routeOptions.url!, route))
    throw forbidden('impersonation_not_allowed', 'This action is not allowed while impersonating a user.')

  for (const scope of [route.scope, ...(route.scopes ?? [])]) {
    if (scope && !actor.scopes.has(scope)) throw scopeRequired(scope)
  }
  if (route.roles && !route.roles.includes(actor.role))
    throw roleRequired(`The role ${route.roles.join(' or ')} is required.`)
  if (route.freshLogin && !isFresh(authenticatedAt, clock.now()))
    throw forbidden(
      'reauthentication_required',
      'Confirm your identity with POST /api/auth/reauthenticate, then repeat the request.',
    )
}

/** Users with an unverified email address can manage their own account only. */
const isAllowedFor = (
  { code }: NonNullable<Authentication['restriction']>,
  url: string,
  { limitedSession }: RouteConfig,
) => limitedSession || (code === 'email_verification_required' && url.startsWith('/api/auth/'))

const isFresh = (at: Date | null, now: Date) => at !== null && now <= secondsLater(at, freshLoginSeconds)

export function assertAccessDeclared({ method, url, config = {} }: RouteOptions): void {
  const { scope, signedIn, public: isPublic } = config as RouteConfig
  if ([scope, signedIn, isPublic].filter(Boolean).length !== 1)
    throw new Error(`${method} ${url} must declare config.scope, config.signedIn or config.public`)
  if (isPublic) return
  for (const verb of [method].flat()) {
    const expected = baselineScope(verb, url)
    if (scope !== expected)
      throw new Error(`${verb} ${url} must declare ${expected ? `config.scope '${expected}'` : 'config.signedIn'}`)
  }
}

function slugOf(request: FastifyRequest, config: Config): string {
  const host = readHost(request.raw.headers.host, config.APP_DOMAIN)
  const slug = host.kind === 'tenant' ? host.slug : config.DEFAULT_TENANT_SLUG
  if (!slug)
    throw new AppError(
      404,
      'tenant_not_found',
      'No workspace has this host name. Check the first part of the host name.',
    )
  return slug
}

/** Rejects duplicate Host and Authorization headers and absolute-form targets (request smuggling). */
function assertUnambiguous({ raw }: FastifyRequest): void {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  for (const name of ['host', 'authorization']) {
    if (names.indexOf(name) !== names.lastIndexOf(name))
      throw new AppError(422, 'validation_failed', `The header \`${name}\` must not be sent more than once.`)
  }
  if (!raw.url?.startsWith('/')) throw new AppError(422, 'validation_failed', 'The request target must be a path.')
}

function traceOf(request: FastifyRequest, ipOf: ReturnType<typeof createIpResolver>): Trace {
  const agent = request.headers['user-agent']
  return { requestId: request.id, ip: ipOf(request.raw), userAgent: agent ? agent.slice(0, 512) : null }
}
