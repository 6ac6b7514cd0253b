import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { baselineScope, type SignedIn, type Trace, visitorIn } from '#platform/access'
import { type Clock, secondsLater } from '#platform/clock'
import type { Config } from '#platform/config'
import { type Db, inTenant, type TenantTx } from '#platform/db'
import { AppError, forbidden, nothingHere, roleRequired, scopeRequired, unauthenticated } from '#platform/errors'
import { addressReader } from './client-address.ts'
import { type Credential, readCredential } from './credential.ts'
import { readHost } from './host.ts'
import { isClosedToImpersonation } from './impersonation.ts'
import type { RouteConfig, Workspace } from './route-config.ts'
import { type Witnessed, witnessEnd } from './witnessed.ts'

/** What the gate learns of a request in one database call. It throws what must be refused outright. */
export type Admission = {
  tenant: Workspace
  actor: SignedIn | null
  /** What a session must do before it may do anything else. */
  restriction: { code: 'password_change_required' | 'email_verification_required'; message: string } | null
  /** A key that can never write, whatever its scopes. */
  isReadOnly: boolean
  /** What an operator lets a key do; null where the usual limit holds. */
  requestsPerMinute: number | null
  /** When the person last proved who they are. */
  authenticatedAt: Date | null
}

export type Gatekeeper = {
  admit(arrival: { slug: string; credential: Credential | null; trace: Trace }): Promise<Admission>
  /** Counts the request against the limits of whoever sends it; throws when there were too many. */
  count(caller: {
    ip: string
    actor: SignedIn | null
    tenantId?: string
    limit?: string
    requestsPerMinute?: number | null
  }): Promise<Record<string, string>>
  /** Whether what somebody does at a route must not go unseen, however it ends. */
  mustSee(actor: SignedIn, route: string): boolean
  /** Hears how such a request ended, and keeps it. */
  witness(seen: Witnessed): void
}

type Services = { db: Db; config: Config; clock: Clock; gatekeeper: Gatekeeper }

const freshLoginSeconds = 15 * 60

/** Nothing passes that did not say who may call it: host, credential, person, scope, in this order, before the body is read. */
export function guardRoutes(app: FastifyInstance, { db, config, clock, gatekeeper }: Services): void {
  const addressOf = addressReader(config.TRUSTED_PROXIES)
  app.decorateRequest('actor')
  app.decorateRequest('tenant')
  app.decorateRequest('inTenant', function (this: FastifyRequest, work: (tx: TenantTx) => Promise<unknown>) {
    return inTenant(db, this.actor ?? visitorIn(this.tenant.id, traceOf(this, addressOf)), work)
  } as FastifyRequest['inTenant'])
  app.decorateRequest('enterTenant', async function (this: FastifyRequest, slug: string) {
    const trace = traceOf(this, addressOf)
    this.tenant = (await gatekeeper.admit({ slug, credential: null, trace })).tenant
  })
  app.addHook('onRoute', refuseUndeclared)

  app.addHook('onRequest', async (request, reply) => {
    refuseAmbiguity(request)
    const route = request.routeOptions.config
    const trace = traceOf(request, addressOf)
    if (request.is404 || route.anyHost) {
      reply.headers(await gatekeeper.count({ ip: trace.ip, actor: null, limit: route.limit }))
      if (request.is404 && slugOf(request, config)) throw nothingHere()
      return
    }

    const slug = slugOf(request, config)
    const isKnown = !route.public || route.mayBeSignedIn
    const credential = isKnown ? readCredential(request.headers.authorization) : null
    const admission = await admitOrCount(gatekeeper, { slug, credential, trace })
    const { actor, tenant } = admission
    request.tenant = tenant
    if (actor) {
      request.actor = actor
      if (actor.actorUserId) reply.header('x-impersonated-by', actor.actorUserId)
      if (gatekeeper.mustSee(actor, request.routeOptions.url!)) witnessEnd(request, reply, gatekeeper.witness)
    }
    assertMayCall(request, admission, clock)
    const { requestsPerMinute } = admission
    const caller = { ip: trace.ip, actor, tenantId: tenant.id, limit: route.limit, requestsPerMinute }
    reply.headers(await gatekeeper.count(caller))
  })
}

/** Whoever is turned away counts as a stranger, so that guessing gets slow. */
async function admitOrCount(gatekeeper: Gatekeeper, arrival: Parameters<Gatekeeper['admit']>[0]): Promise<Admission> {
  try {
    return await gatekeeper.admit(arrival)
  } catch (error) {
    const isTurnedAway = error instanceof AppError && (error.status === 401 || error.status === 403)
    if (isTurnedAway) await gatekeeper.count({ ip: arrival.trace.ip, actor: null })
    throw error
  }
}

function assertMayCall({ method, routeOptions }: FastifyRequest, admission: Admission, clock: Clock): void {
  const { actor, restriction, isReadOnly, authenticatedAt } = admission
  const route: RouteConfig = routeOptions.config
  if (route.public && !actor) return
  if (!actor) throw unauthenticated()
  if (restriction && !isOpenTo(restriction, routeOptions.url!, route))
    throw forbidden(restriction.code, restriction.message)
  if (isReadOnly && method !== 'GET' && method !== 'HEAD')
    throw forbidden('read_only_key', 'This API key may only read. Use another key to make changes.')
  if ((route.humanOnly || route.signedIn) && actor.type === 'api_key')
    throw forbidden('session_required', 'This needs a person who is signed in; an API key is not enough.')
  if (actor.type === 'impersonation' && isClosedToImpersonation(method, routeOptions.url!, route))
    throw forbidden('impersonation_not_allowed', 'This cannot be done while acting as somebody else.')

  for (const scope of [route.scope, ...(route.scopes ?? [])]) {
    if (scope && !actor.scopes.has(scope)) throw scopeRequired(scope)
  }
  if (route.roles && !route.roles.includes(actor.role))
    throw roleRequired(`This needs the role ${route.roles.join(' or ')}.`)
  if (route.freshLogin && !isFresh(authenticatedAt, clock.now()))
    throw forbidden('reauthentication_required', 'Confirm that it is you: sign in again, then repeat this.')
}

/** Whoever has not verified their address has their account, and nothing of the workspace. */
const isOpenTo = ({ code }: NonNullable<Admission['restriction']>, url: string, { limitedSession }: RouteConfig) =>
  limitedSession || (code === 'email_verification_required' && url.startsWith('/api/auth/'))

const isFresh = (at: Date | null, now: Date) => at !== null && now <= secondsLater(at, freshLoginSeconds)

/** The application does not start with a route that anyone could call by oversight. */
export function refuseUndeclared({ method, url, config = {} }: RouteOptions): void {
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
  if (!slug) throw new AppError(404, 'tenant_not_found', 'There is no workspace at this address.')
  return slug
}

/** Two hosts or two credentials, or a target that names a host of its own: whoever reads them might pick another one. */
function refuseAmbiguity({ raw }: FastifyRequest): void {
  const names = raw.rawHeaders.filter((_, index) => index % 2 === 0).map((name) => name.toLowerCase())
  for (const name of ['host', 'authorization']) {
    if (names.indexOf(name) !== names.lastIndexOf(name))
      throw new AppError(422, 'validation_failed', `The header ${name} is there more than once.`)
  }
  if (!raw.url?.startsWith('/')) throw new AppError(422, 'validation_failed', 'The request target must be a path.')
}

function traceOf(request: FastifyRequest, addressOf: ReturnType<typeof addressReader>): Trace {
  const agent = request.headers['user-agent']
  return { requestId: request.id, ip: addressOf(request.raw), userAgent: agent ? agent.slice(0, 512) : null }
}
