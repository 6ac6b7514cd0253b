import { type ApiDocument, type Parameter, resolve, type Schema } from '../hostile/json-schema.ts'
import { listPositions, type Position } from '../hostile/positions.ts'
import { fixtures } from '../matrix/fixtures.ts'
import type { RouteFixture } from '../matrix/route-fixture.ts'
import type { Route } from '../matrix/routes.ts'

/** A route and the part of the OpenAPI document that describes its requests; pages are not in the document. */
export type Target = {
  route: Route
  fixture: RouteFixture
  parameters: Parameter[]
  bodySchema?: Schema
  positions: Position[]
}

export function toTarget(document: ApiDocument, route: Route): Target {
  const fixture = fixtures[route.name]
  if (!fixture) throw new Error(`${route.name} has no fixture.`)
  const path = route.url.replace(/:(\w+)/g, '{$1}')
  const method = route.method.toLowerCase()
  const operation = document.paths[path]?.[method]
  if (!operation) return { route, fixture, parameters: [], positions: [] }
  return {
    route,
    fixture,
    parameters: (operation.parameters ?? []).map((parameter) => resolve(document, parameter)),
    bodySchema: operation.requestBody?.content['application/json']?.schema,
    positions: listPositions(document, method, path),
  }
}
