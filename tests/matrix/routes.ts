import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyRequest, RouteOptions } from 'fastify'
import type { RouteConfig } from '#platform/http'

export type Schema = {
  type?: string
  format?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
}
export type Route = {
  /** Method and URL, such as `GET /api/teams/:team_id`; the key of its fixture. */
  name: string
  method: string
  url: string
  /** Names of the path parameters. */
  params: string[]
  /** Declared success status. */
  success: number
  body?: Schema
  query?: Schema
}

/**
 * Records all routes of the next application of this process. Fastify announces an application before its first route is
 * registered, so no route is missed.
 */
export function recordRoutes(onRequest: (request: FastifyRequest) => void = () => {}) {
  const routes: Route[] = []
  const configs = new Map<string, RouteConfig>()
  const onInitialization = (message: unknown) => {
    unsubscribe('fastify.initialization', onInitialization)
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void routes.push(...toRoutes(route)))
    fastify.addHook('onRequest', async (request) => {
      const { method, is404, routeOptions } = request
      onRequest(request)
      if (!is404) configs.set(`${method} ${routeOptions.url}`, routeOptions.config)
    })
  }
  subscribe('fastify.initialization', onInitialization)
  return {
    routes,
    /** Returns the live config of a route that was called before. Changing it changes the access checks of the route. */
    configOf: (name: string): RouteConfig => configs.get(name)!,
  }
}

function toRoutes({ method, url, schema = {} }: RouteOptions): Route[] {
  const success = Object.keys((schema.response ?? {}) as object).find((status) => /^[23]/.test(status))
  // A HEAD route has the handler and config of its GET route.
  const verbs = [method].flat().filter((verb) => verb !== 'HEAD')
  return verbs.map((verb) => ({
    name: `${verb} ${url}`,
    method: verb,
    url,
    params: [...url.matchAll(/:(\w+)/g)].map(([, param]) => param!),
    success: Number(success ?? 200),
    body: schema.body as Schema | undefined,
    query: schema.querystring as Schema | undefined,
  }))
}

/** Returns JSON pointers to the ids in a schema; of an array, to its first item. */
export function listIdPointers(schema: Schema | undefined, path = ''): string[] {
  if (!schema) return []
  if (schema.format === 'uuid') return [path]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => listIdPointers(inner, `${path}/${name}`)),
    ...listIdPointers(schema.items, `${path}/0`),
    ...(schema.anyOf ?? []).flatMap((inner) => listIdPointers(inner, path)),
  ]
}
