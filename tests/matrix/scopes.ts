import type { TestResponse } from '#testing'
import { type Caller, callersOf } from './callers.ts'
import { buildCall, type Call, send } from './calls.ts'
import { deriveExpected, type Expected } from './expected.ts'
import { findFixtureGaps } from './fixture-gaps.ts'
import { fixtures } from './fixtures.ts'
import type { MatrixApp } from './matrix-app.ts'
import { type MatrixCase, type MatrixOptions, type MatrixResult, runCases, takeInTurn } from './matrix-case.ts'
import type { MatrixTenant } from './matrix-tenant.ts'
import { requiredScope } from './permissions.ts'
import { describePersonalData } from './personal-data.ts'
import type { RouteFixture } from './route-fixture.ts'
import type { Route } from './routes.ts'
import { forgetWrites, listWrittenTables } from './rows.ts'

type Attempt = Expected & { caller: Caller }

/**
 * Calls every route with every caller and checks that each gets the expected response and rejected calls write nothing. A short run
 * makes one successful call per route; the other allowed callers only prove their access.
 */
export async function runScopeMatrix(
  app: MatrixApp,
  routes: readonly Route[] = app.routes,
  { isShort = false }: MatrixOptions = {},
): Promise<MatrixResult> {
  const { ownTenant } = app
  const result: MatrixResult = { routes: routes.length, cases: 0, findings: await findFixtureGaps(app) }
  const callers = await callersOf(ownTenant.workspace)

  for (const [index, route] of routes.entries()) {
    const fixture = fixtures[route.name]
    if (!fixture) continue
    const sample = isShort ? sampleUnrelatedKeys(callers, route, index) : callers
    const attempts = sample.map((caller): Attempt => ({ caller, ...deriveExpected(route, fixture, caller) }))
    const rejectedCases = await buildRejectedCases(ownTenant, route, fixture, attempts)
    const allowed = attempts.filter(({ isAllowed }) => isAllowed)

    await forgetWrites(ownTenant.workspace)
    await runCases(result, route.name, rejectedCases)
    const written = await listWrittenTables(ownTenant.workspace)
    const message = `${route.name}: rejected calls changed rows of ${written.join(', ')}`
    if (written.length) result.findings.push({ category: 'write', isLeak: false, message })
    const buildCases = isShort ? buildShortAllowedCases : buildAllowedCases
    await runCases(result, route.name, await buildCases(ownTenant, route, fixture, allowed))
  }
  return result
}

const unrelatedKeysInShortRun = 3

/**
 * Keys for other resources are all rejected for the same reason, so a short run calls each route with a few of them, other ones
 * at every route.
 */
function sampleUnrelatedKeys(callers: Caller[], route: Route, index: number): Caller[] {
  const resource = requiredScope(route.method, route.url)?.split('.')[0]
  const isUnrelated = ({ isSingleScope, scopes }: Caller) =>
    isSingleScope && ![...scopes].some((scope) => scope.split('.')[0] === resource)
  const sample = new Set(takeInTurn(callers.filter(isUnrelated), index, unrelatedKeysInShortRun))
  return callers.filter((caller) => !isUnrelated(caller) || sample.has(caller))
}

/** Sends no body: access is checked before the request is validated. */
async function buildRejectedCases(
  tenant: MatrixTenant,
  route: Route,
  fixture: RouteFixture,
  attempts: Attempt[],
): Promise<MatrixCase[]> {
  const { method, url } = await buildCall(route, fixture, tenant)
  return attempts
    .filter(({ isAllowed }) => !isAllowed)
    .flatMap(({ caller: { name, client }, expected, scope }, index) =>
      // One caller is enough to check that other spellings of the path do not bypass the access checks.
      (index === 0 ? urlVariants(url) : [url]).map((variant): MatrixCase => {
        const call: Call = { method, url: variant }
        return {
          category: 'scope',
          name: variant === url ? name : `${name} at ${variant}`,
          expected,
          scope,
          send: () => send(client, call),
        }
      }),
    )
}

/** Returns spellings of a URL that lead to the same route. */
function urlVariants(url: string): string[] {
  const [path = '', query] = url.split('?')
  const toggledSlash = path.endsWith('/') ? path.slice(0, -1) : `${path}/`
  const percentEncoded = path.replace(/^\/api\/(.)/, (_, letter) => `/api/%${letter.charCodeAt(0).toString(16)}`)
  return [path, toggledSlash, percentEncoded].map((variant) => (query ? `${variant}?${query}` : variant))
}

const buildAllowedCases = (tenant: MatrixTenant, route: Route, fixture: RouteFixture, allowed: Attempt[]) =>
  Promise.all(allowed.map((attempt) => buildAllowedCase(tenant, route, fixture, attempt)))

async function buildShortAllowedCases(
  tenant: MatrixTenant,
  route: Route,
  fixture: RouteFixture,
  allowed: Attempt[],
): Promise<MatrixCase[]> {
  // The response depends on the caller, which only a valid request shows.
  if (typeof fixture.expected === 'function' || fixture.optionalCredential)
    return await buildAllowedCases(tenant, route, fixture, allowed)
  const [first, ...others] = allowed
  const last = others.at(-1)
  // Public routes ignore credentials and unknown query parameters.
  if (fixture.public) return await buildAllowedCases(tenant, route, fixture, last ? [first!, last] : allowed)
  const { url, ...call } = await buildCall(route, fixture, tenant)
  const invalidCall = { ...call, url: `${url}${url.includes('?') ? '&' : '?'}unknown_parameter=1` }
  return [
    ...(await buildAllowedCases(tenant, route, fixture, first ? [first] : [])),
    ...others.map(({ caller: { name, client } }): MatrixCase => {
      // Access is checked before the request is validated, so a validation error proves access without a write.
      return { category: 'scope', name, expected: '422 validation_failed', send: () => send(client, invalidCall) }
    }),
  ]
}

async function buildAllowedCase(
  tenant: MatrixTenant,
  route: Route,
  fixture: RouteFixture,
  { caller, expected }: Attempt,
): Promise<MatrixCase> {
  const base = { category: 'scope', name: caller.name }
  // A public route treats all callers alike, so a validation error is enough.
  if (fixture.public && route.body?.required?.length) {
    const call = { ...(await buildCall(route, fixture, tenant)), payload: {} }
    return { ...base, expected: '422 validation_failed', send: () => send(caller.client, call) }
  }
  const isSafe = route.method === 'GET'
  const { client, userId: owner } = isSafe ? caller : await caller.another()
  const call = await buildCall(route, fixture, tenant, { isFresh: !isSafe, owner })
  const check = async (response: TestResponse) => (fixture.public ? undefined : describePersonalData(response, caller))
  return { ...base, expected, send: () => send(client, call), check }
}
