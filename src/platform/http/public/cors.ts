import type { FastifyInstance, RouteOptions } from 'fastify'
import type { RouteConfig } from '../route-config.ts'

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
