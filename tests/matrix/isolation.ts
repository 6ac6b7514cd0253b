import { buildCall, listIdPositions, send } from './calls.ts'
import { expectedSuccess } from './expected.ts'
import { findFixtureGaps } from './fixture-gaps.ts'
import { fixtures } from './fixtures.ts'
import { foreignIdCases } from './foreign-ids.ts'
import type { MatrixApp } from './matrix-app.ts'
import {
  containsCanary,
  type MatrixCase,
  type MatrixOptions,
  type MatrixResult,
  runCases,
  takeInTurn,
} from './matrix-case.ts'
import type { CallerClient, MatrixTenant } from './matrix-tenant.ts'
import type { RouteFixture } from './route-fixture.ts'
import type { Route } from './routes.ts'
import { forgetWrites, listWrittenTables } from './rows.ts'
import { createUnauthorizedCallers, forwardingHeaders, type UnauthorizedCaller } from './unauthorized-callers.ts'

const admin = { role: 'admin', isKey: false } as const

/** `canaryRoutes`: routes that show the canary to the other tenant's admin, and so would show a leak. */
type IsolationResult = MatrixResult & { canaryRoutes: string[] }

const unauthorizedCallersInShortRun = 4

/** Tries to reach the other tenant through every route, and checks that rejected calls write nothing. */
export async function runIsolationMatrix(
  app: MatrixApp,
  routes: readonly Route[] = app.routes,
  options: MatrixOptions = {},
): Promise<IsolationResult> {
  const { ownTenant, otherTenant, canary } = app
  const canaryRoutes = await readOtherTenant(app, routes)
  const result = { routes: routes.length, cases: 0, findings: await findFixtureGaps(app), canaryRoutes }
  const allCallers = await createUnauthorizedCallers(app)
  const callersPerRoute = options.isShort ? unauthorizedCallersInShortRun : allCallers.length

  for (const [index, route] of routes.entries()) {
    const fixture = fixtures[route.name]
    if (!fixture) continue
    const checkUnchanged = async (name: string, { workspace }: MatrixTenant) => {
      result.cases++
      const written = await listWrittenTables(workspace)
      const message = `${route.name}: rejected calls changed rows of the ${name} tenant in ${written.join(', ')}`
      if (written.length) result.findings.push({ category: 'write', isLeak: false, message })
    }

    const cases = [
      ...(await unauthorizedCases(app, route, fixture, takeInTurn(allCallers, index, callersPerRoute))),
      ...(await injectedTenantCases(app, route, fixture)),
      ...(await foreignIdCases(app, route, fixture, { ...options, index })),
      ...(await authorizedCases(app, route, fixture, options)),
    ]
    await forgetWrites(ownTenant.workspace)
    await forgetWrites(otherTenant.workspace)
    const reads = cases.filter(({ isChange }) => !isChange)
    await runCases(result, route.name, reads, canary)
    // Rejected calls of public routes write too, for example failed sign-ins.
    if (!fixture.public) await checkUnchanged('own', ownTenant)
    const changes = cases.filter(({ isChange }) => isChange)
    await runCases(result, route.name, changes, canary)
    await checkUnchanged('other', otherTenant)
  }
  return result
}

/** Public routes ignore credentials, but must respond for the workspace of the host. */
async function unauthorizedCases(
  { ownTenant }: MatrixApp,
  route: Route,
  fixture: RouteFixture,
  callers: UnauthorizedCaller[],
): Promise<MatrixCase[]> {
  const cases = callers.map(async ({ name, host, client, expected, hasCredential }): Promise<MatrixCase[]> => {
    const isAuthenticated = !fixture.public || (fixture.optionalCredential && hasCredential)
    const isOpen = !isAuthenticated && (host === 'own' || fixture.anyHost)
    if (!isAuthenticated && host === 'other') return []
    const call = await buildCall(route, fixture, ownTenant, { isFresh: isOpen && route.method !== 'GET' })
    return [
      {
        category: host === 'own' ? 'credential' : 'host',
        name,
        expected: isOpen ? expectedSuccess(route, fixture, admin) : expected,
        send: () => send(client, call),
      },
    ]
  })
  return (await Promise.all(cases)).flat()
}

/** The tenant must never be taken from a query or a body. */
async function injectedTenantCases(
  { ownTenant, otherTenant }: MatrixApp,
  route: Route,
  fixture: RouteFixture,
): Promise<MatrixCase[]> {
  const call = await buildCall(route, fixture, ownTenant)
  const client = fixture.public ? ownTenant.workspace.anonymous : ownTenant.workspace.admin
  const tenant_id = otherTenant.workspace.id
  const url = `${call.url}${call.url.includes('?') ? '&' : '?'}tenant_id=${tenant_id}`
  const payload = fixture.upload ? { tenant_id } : { ...(call.payload as object), tenant_id }
  const isJson = !fixture.isPage && !fixture.upload
  const createCase = (name: string, changes: Partial<typeof call>): MatrixCase => ({
    category: 'injected tenant',
    name,
    expected: isJson || !('payload' in changes) ? '422 validation_failed' : '415 unsupported_media_type',
    send: () => send(client, { ...call, ...changes }),
  })
  return [
    // Public routes ignore unknown query parameters, because email clients and providers add their own.
    ...(fixture.public ? [] : [createCase('with a tenant in the query', { url })]),
    ...(['GET', 'DELETE', 'OPTIONS'].includes(call.method)
      ? []
      : [createCase('with a tenant in the body', { payload, headers: undefined })]),
  ]
}

/** An authorized caller succeeds and sees no data of the other tenant. */
async function authorizedCases(
  app: MatrixApp,
  route: Route,
  fixture: RouteFixture,
  { isShort }: MatrixOptions,
): Promise<MatrixCase[]> {
  const { ownTenant, otherTenant } = app
  const expected = expectedSuccess(route, fixture, admin)
  const isSafe = route.method === 'GET' && !fixture.recordsReads
  const createCase = async (name: string, headers = {}, query = ''): Promise<MatrixCase> => {
    const { client, userId: owner } = await createAuthorizedCaller(ownTenant, fixture, isSafe)
    const call = await buildCall(route, fixture, ownTenant, { isFresh: !isSafe, owner })
    return {
      category: 'own',
      isChange: !isSafe,
      name,
      expected,
      send: () => send(client, { ...call, url: call.url + query }, headers),
    }
  }
  const { host, id } = otherTenant.workspace
  const cursor = await readOtherCursor(app, route)
  return [
    // The forwarded call fails for the same reasons.
    ...(isShort ? [] : [await createCase('as an admin')]),
    await createCase("as an admin, forwarded for the other tenant's host", forwardingHeaders(host, id)),
    ...(cursor
      ? [await createCase("with the other tenant's cursor", {}, `?cursor=${encodeURIComponent(cursor)}`)]
      : []),
  ]
}

/** Creates a new session for every change, because some calls end their session. */
async function createAuthorizedCaller(
  { workspace }: MatrixTenant,
  fixture: RouteFixture,
  isSafe: boolean,
): Promise<CallerClient> {
  if (fixture.public) return { client: workspace.anonymous }
  const client = isSafe ? workspace.admin : await workspace.person('admin')
  return { client, userId: client.userId }
}

async function readOtherCursor({ otherTenant }: MatrixApp, route: Route): Promise<string | undefined> {
  if (!route.query?.properties?.cursor || route.params.length) return undefined
  const { body, headers } = await otherTenant.workspace.admin.get(`${route.url}?limit=1`)
  return body?.next_cursor ?? /cursor=([^&>]+)[^>]*>; rel="next"/.exec(headers.link ?? '')?.[1]
}

/**
 * Creates a record of every kind that the routes use and reads them as the other tenant's admin, which also fills the caches.
 * Returns the routes that show the canary.
 */
async function readOtherTenant({ otherTenant, canary }: MatrixApp, routes: readonly Route[]): Promise<string[]> {
  for (const kind of await listKinds(otherTenant, routes)) await otherTenant.sharedRecord(kind)
  const canaryRoutes: string[] = []
  for (const route of routes) {
    const fixture = fixtures[route.name]
    if (!fixture || route.method !== 'GET') continue
    const response = await send(otherTenant.workspace.admin, await buildCall(route, fixture, otherTenant))
    if (containsCanary(response, canary)) canaryRoutes.push(route.name)
  }
  return canaryRoutes
}

async function listKinds(tenant: MatrixTenant, routes: readonly Route[]): Promise<Set<string>> {
  const kindsOf = async (route: Route) => {
    const fixture = fixtures[route.name]
    return fixture ? (await listIdPositions(route, fixture, tenant)).map(({ kind }) => kind) : []
  }
  return new Set((await Promise.all(routes.map(kindsOf))).flat())
}
