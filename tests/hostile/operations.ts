import { fixtures } from '../matrix/fixtures.ts'
import type { MatrixTenant } from '../matrix/matrix-tenant.ts'
import type { Route } from '../matrix/routes.ts'
import { createValidRequest, type ValidRequest } from './hostile-requests.ts'
import type { ApiDocument } from './json-schema.ts'

export type Operation = { route: Route; method: string; path: string }

/** Changes to a whole workspace, which would affect the requests to other operations. */
const workspaceWide = /settings|scoring-config|pipelines|sources/

export function listOperations(document: ApiDocument, routes: readonly Route[]): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => {
      const name = `${method.toUpperCase()} ${path.replace(/\{(\w+)\}/g, ':$1')}`
      const route = routes.find((candidate) => candidate.name === name)
      if (!route || !fixtures[name]) throw new Error(`${name} has no route or fixture.`)
      return { route, method, path }
    }),
  )
}

type Tenants = { ownTenant: MatrixTenant; createTenant(): Promise<MatrixTenant> }

/** Returns a function that creates valid requests, in a new tenant when a limit of the tenant is reached. */
export function createRequestSource({ ownTenant, createTenant }: Tenants, route: Route): () => Promise<ValidRequest> {
  const isIsolated = route.method !== 'GET' && workspaceWide.test(route.url)
  let tenant: MatrixTenant | undefined = isIsolated ? undefined : ownTenant
  const createRequest = async () => {
    tenant ??= await createTenant()
    return await createValidRequest(tenant, route, fixtures[route.name]!)
  }
  return () =>
    createRequest().catch(() => {
      tenant = undefined
      return createRequest()
    })
}
