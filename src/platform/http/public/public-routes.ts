import type { FastifyInstance, RouteOptions } from 'fastify'
import type { RouteConfig } from '../route-config.ts'

const hiddenFromSearch = { 'x-robots-tag': 'noindex, nofollow' }

/** Hides routes with a token from search engines. */
export function registerTokenRoutes(app: FastifyInstance): void {
  app.addHook('onRoute', (route) => {
    if (route.config?.tokenParam !== undefined) addResponseHeaders(route, hiddenFromSearch)
  })
}

function addResponseHeaders(route: RouteOptions, headers: Readonly<Record<string, string>>): void {
  route.config = { ...route.config, responseHeaders: { ...route.config?.responseHeaders, ...headers } }
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

const preflightConfig: RouteConfig = { public: true, anyHost: true, responseHeaders: corsHeaders }

/** Lets scripts of any site call the routes with `cors`, without credentials, and answers their preflight requests. */
export function registerCors(app: FastifyInstance): void {
  const methodsByUrl = new Map<string, Set<string>>()
  app.addHook('onRoute', function (this: FastifyInstance, route: RouteOptions) {
    const { method, url, config } = route
    if (!config?.cors) return
    addResponseHeaders(route, corsHeaders)
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
