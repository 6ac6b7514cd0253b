import type { FastifyInstance, FastifyRequest } from 'fastify'
import { type AppError, methodNotAllowed, routeNotFound } from '#platform/errors'

type Path = { segments: string[]; methods: Set<string> }

export type DescribeUnmatched = (request: FastifyRequest) => AppError

/** Returns a function that creates the error of an unmatched request: 405 if its path exists with other methods, else 404. */
export function collectMethods(app: FastifyInstance): DescribeUnmatched {
  const paths = new Map<string, Path>()
  app.addHook('onRoute', ({ method, url }) => {
    const segments = splitPath(url)
    const key = segments.join('/')
    const path = paths.get(key) ?? { segments, methods: new Set() }
    paths.set(key, path)
    for (const name of [method].flat()) path.methods.add(name)
  })

  return (request) => {
    const segments = splitPath(request.url.split('?', 1)[0]!)
    const matching = [...paths.values()].filter((path) => matches(path.segments, segments))
    const methods = new Set(matching.flatMap((path) => [...path.methods]))
    return methods.size ? methodNotAllowed(request.method, [...methods].sort()) : routeNotFound(request)
  }
}

const splitPath = (path: string): string[] => path.replace(/\/$/, '').split('/')

const matches = (template: string[], segments: string[]): boolean =>
  template.length === segments.length &&
  template.every((part, index) => (part.startsWith(':') ? segments[index] !== '' : part === segments[index]))
