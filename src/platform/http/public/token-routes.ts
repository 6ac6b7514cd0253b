import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { Gatekeeper } from '../gatekeeper.ts'
import type { ClientAddresses } from '../network/client-ip.ts'
import { onRequestEnd } from '../request-end.ts'

/** Returns the token in the path of a public route, such as a share link. */
export function tokenOf({ params, routeOptions }: FastifyRequest): string | undefined {
  const { tokenParam } = routeOptions.config
  return tokenParam === undefined ? undefined : (params as Record<string, string>)[tokenParam]
}

/** Hides routes with a token from search engines and counts unknown tokens, so that a network cannot try many of them. */
export function registerTokenRoutes(app: FastifyInstance, gatekeeper: Gatekeeper, { ipOf }: ClientAddresses): void {
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.tokenParam !== undefined) reply.header('x-robots-tag', 'noindex, nofollow')
    done()
  })
  onRequestEnd(app, (request, { status }) => {
    if (status === 404 && tokenOf(request) !== undefined) gatekeeper.countUnknownToken(ipOf(request.raw))
  })
}

export function assertPublicRouteDeclared({ method, url, config = {} }: RouteOptions): void {
  const { public: isPublic, optionalAuth, tokenParam, cors, framing, limits = [] } = config
  const route = `${method} ${url}`
  if ((cors || framing || tokenParam !== undefined) && !isPublic)
    throw new Error(`${route} must declare config.public, because it declares tokenParam, cors or framing`)
  if (cors && optionalAuth) throw new Error(`${route} must not accept credentials from other sites`)
  const isCountedByToken = limits.some(({ per }) => per === 'token' || per === 'network_and_token')
  if (isCountedByToken !== (tokenParam !== undefined))
    throw new Error(`${route} must declare config.tokenParam and a limit per token, or neither`)
  const counted = limits.flatMap((limit) => (limit.per === 'path_parameter' ? limit.parameter : []))
  for (const name of [...counted, ...(tokenParam === undefined ? [] : [tokenParam])])
    if (!url.split('/').includes(`:${name}`)) throw new Error(`${route} has no path parameter ${name}`)
}
