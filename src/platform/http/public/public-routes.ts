import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import { onRequestEnd } from '../response-conventions.ts'
import type { RouteConfig } from '../route-config.ts'

/** Returns the token in the path of a public route, such as a share link. */
export function tokenOf({ params, routeOptions }: FastifyRequest): string | undefined {
  const { tokenParam } = routeOptions.config
  return tokenParam === undefined ? undefined : (params as Record<string, string>)[tokenParam]
}

/** Hides routes with a token from search engines and counts unknown tokens, so that a network cannot try many of them. */
export function registerTokenRoutes(app: FastifyInstance, countUnknown: (request: FastifyRequest) => void): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.tokenParam !== undefined) reply.header('x-robots-tag', 'noindex, nofollow')
    done()
  })
  onRequestEnd(app, (request, { status }) => {
    const isSigned = request.routeOptions.config.verifyToken !== undefined
    if (status === 404 && !isSigned && tokenOf(request) !== undefined) countUnknown(request)
  })
}

export function assertPublicRouteDeclared({ method, url, config = {} }: RouteOptions): void {
  const { public: isPublic, optionalAuth, tokenParam, verifyToken, cors, framing, limits = [] } = config
  const route = `${method} ${url}`
  if ((cors || framing || tokenParam !== undefined) && !isPublic)
    throw new Error(`${route} must declare config.public, because it declares tokenParam, cors or framing`)
  if (verifyToken && tokenParam === undefined)
    throw new Error(`${route} must declare config.tokenParam, because it declares verifyToken`)
  if (cors && optionalAuth) throw new Error(`${route} must not accept credentials from other sites`)
  const isCountedByToken = limits.some(({ per }) => per === 'token' || per === 'network_and_token')
  if (isCountedByToken !== (tokenParam !== undefined))
    throw new Error(`${route} must declare config.tokenParam and a limit per token, or neither`)
  const counted = limits.flatMap((limit) => (limit.per === 'path_parameter' ? limit.parameter : []))
  for (const name of [...counted, ...(tokenParam === undefined ? [] : [tokenParam])])
    if (!url.split('/').includes(`:${name}`)) throw new Error(`${route} has no path parameter ${name}`)
}

const corsHeaders = Object.freeze({
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'etag, ratelimit, ratelimit-policy, retry-after, x-request-id',
  'cross-origin-resource-policy': 'cross-origin',
})

const preflightConfig: RouteConfig = { public: true, anyHost: true }

/** Lets scripts of any site call the routes with `cors`, without credentials, and answers their preflight requests. */
export function registerCors(app: FastifyInstance): void {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRequest', (request, reply, done) => {
    if (methodsByUrl.has(request.routeOptions.url!)) reply.headers(corsHeaders)
    done()
  })
  app.addHook('onRoute', function (this: FastifyInstance, { method, url, config }: RouteOptions) {
    if (!config?.cors) return
    const known = methodsByUrl.get(url)
    const methods = known ?? new Set<string>()
    methodsByUrl.set(url, methods)
    for (const name of [method].flat()) methods.add(name)
    if (known) return
    this.route({
      method: 'OPTIONS',
      url,
      config: preflightConfig,
      schema: { hide: true },
      handler: (_request, reply) =>
        reply
          .code(204)
          .headers({
            'access-control-allow-methods': [...methods].join(', '),
            'access-control-allow-headers': 'content-type',
            'access-control-max-age': '86400',
          })
          .send(),
    })
  })
}
