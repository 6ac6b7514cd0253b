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
  /** `GET /api/teams/:team_id`, as the fixtures name it. */
  name: string
  method: string
  url: string
  /** The names in its path. */
  params: string[]
  /** The status it answers with when all is well, as it says itself. */
  success: number
  body?: Schema
  query?: Schema
}

/**
 * Every route that the next application of this process registers. Fastify announces an application before anything is in it,
 * so nothing registered by anybody is missed.
 */
export function watchRoutes(onRequest: (request: FastifyRequest) => void = () => {}) {
  const routes: Route[] = []
  const declarations = new Map<string, RouteConfig>()
  const watch = (message: unknown) => {
    unsubscribe('fastify.initialization', watch)
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', (route) => void routes.push(...routesIn(route)))
    fastify.addHook('onRequest', async (request) => {
      const { method, is404, routeOptions } = request
      onRequest(request)
      if (!is404) declarations.set(`${method} ${routeOptions.url}`, routeOptions.config)
    })
  }
  subscribe('fastify.initialization', watch)
  return {
    routes,
    /** What the gate goes by on a route that was called before: a test that changes it takes down a wall. */
    declarationOf: (name: string): RouteConfig => declarations.get(name)!,
  }
}

function routesIn({ method, url, schema = {} }: RouteOptions): Route[] {
  const declared = Object.keys((schema.response ?? {}) as object).find((status) => /^[23]/.test(status))
  return [method].flat().map((verb) => ({
    name: `${verb} ${url}`,
    method: verb,
    url,
    params: [...url.matchAll(/:(\w+)/g)].map(([, param]) => param!),
    success: Number(declared ?? 200),
    body: schema.body as Schema | undefined,
    query: schema.querystring as Schema | undefined,
  }))
}

/** Where a schema takes ids, as pointers; a list counts by its first entry. */
export function idsIn(schema: Schema | undefined, path = ''): string[] {
  if (!schema) return []
  if (schema.format === 'uuid') return [path]
  return [
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => idsIn(inner, `${path}/${name}`)),
    ...idsIn(schema.items, `${path}/0`),
    ...(schema.anyOf ?? []).flatMap((inner) => idsIn(inner, path)),
  ]
}
