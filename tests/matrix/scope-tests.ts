import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../contract/endpoint.ts'
import { buildCall, send } from './calls.ts'
import { deriveExpected, expectedSuccess } from './expected.ts'
import { findFixtureGaps } from './fixture-gaps.ts'
import { fixtures } from './fixtures.ts'
import { type MatrixTestOptions, matrixTimeoutMs, selectRoutes, type startMatrixApp } from './matrix-app.ts'
import { allScopes, contractResources, requiredScope, scopesOfRole } from './permissions.ts'
import { formatReport } from './report.ts'
import type { Route } from './routes.ts'
import { runScopeMatrix } from './scopes.ts'

type App = Awaited<ReturnType<typeof startMatrixApp>>

export function testScopes(app: App, { routePart, ...options }: MatrixTestOptions): void {
  test('every caller can do exactly what their scopes and role allow', { timeout: matrixTimeoutMs }, async (t) => {
    const result = await runScopeMatrix(app, selectRoutes(app, routePart), options)

    for (const line of formatReport('scopes', result)) t.diagnostic(line)
    assert.deepEqual(result.findings, [])
  })
  if (!routePart) testPermissions(app)
}

function testPermissions(app: App): void {
  test('the permissions of the matrix match the contract', () => {
    const roles = ['admin', 'manager', 'member', 'viewer'] as const
    const wrong = endpoints.filter(
      ({ auth, method, path, scope }) =>
        auth !== 'none' && requiredScope(method, path)?.split('.')[0] !== (scope ?? undefined),
    )

    const countInContract = (scopes: Iterable<string>) =>
      [...scopes].filter((scope) => contractResources.includes(scope.split('.')[0]!)).length
    assert.deepEqual([allScopes, ...roles.map(scopesOfRole)].map(countInContract), [114, 114, 109, 81, 37])
    assert.deepEqual(wrong, [])
  })

  test('a route with notWhileImpersonating is expected to reject an impersonated caller with every right', () => {
    const route = app.routes.find(({ name }) => name === 'POST /api/teams/')!
    const caller = { role: 'admin' as const, isKey: false, scopes: scopesOfRole('admin'), isImpersonated: true }

    const [open, closed] = [{}, { notWhileImpersonating: true as const }].map((fixture) =>
      deriveExpected(route, fixture, caller),
    )

    assert.deepEqual([open?.expected, open?.isAllowed], [201, true])
    assert.deepEqual([closed?.expected, closed?.isAllowed], ['403 impersonation_not_allowed', false])
  })

  test('a route without a fixture fails the run with the fixture to add', async () => {
    const query = { properties: { owner_id: { format: 'uuid' } } }
    const body = { required: ['name'], properties: { parent_id: { anyOf: [{ format: 'uuid' }, { type: 'null' }] } } }
    const schemas = { success: 200, query, body }
    const unknown = {
      ...schemas,
      name: 'POST /api/nowhere/:id',
      method: 'POST',
      url: '/api/nowhere/:id',
      params: ['id'],
    }
    const known = app.routes.map((route) => (route.name === 'POST /api/teams/' ? { ...route, ...schemas } : route))

    const messages = (await findFixtureGaps({ ...app, routes: [...known, unknown] })).map(({ message }) => message)

    assert.deepEqual(messages, [
      "The fixture of POST /api/teams/ lacks the id /owner_id of the query. Add a ref('…').",
      "The fixture of POST /api/teams/ lacks the id /parent_id of the body. Add a ref('…').",
      'POST /api/nowhere/:id has no fixture. Add it to its group in tests/matrix/fixtures/, with its access checks besides the scope:\n' +
        "  'POST /api/nowhere/:id': { path: { id: '…' }, query: { owner_id: ref('…') }, body: ({ text }) => ({ name: …, parent_id: ref('…') }) },",
    ])
  })

  test('identity-10-1 every admin route rejects callers without a token, managers and members, and accepts admins', async () => {
    const { ownTenant } = await app.withNewTenants()
    const { anonymous, manager, member, admin, slug } = ownTenant.workspace
    const isLast = ({ url }: Route) => url === '/api/admin/clean-all-data'
    const all = app.routes.filter(({ url }) => url.startsWith('/api/admin/'))
    const outcomes: [string, ...unknown[]][] = []
    for (const route of [...all.filter((one) => !isLast(one)), ...all.filter(isLast)]) {
      const fixture = fixtures[route.name]!
      const call = await buildCall(route, fixture, ownTenant)
      const rejected = await Promise.all([anonymous, manager, member].map((client) => send(client, call)))
      const payload = isLast(route) ? { ...(call.payload as object), confirm: slug } : call.payload
      const { status, body } = await send(admin, { ...call, payload })
      const expected = expectedSuccess(route, fixture, { role: 'admin', isKey: false })
      // The tasks of the other routes are still running, which delays the deletion of all data.
      const accepted = [
        `${route.success}`,
        ...String(expected).split(' or '),
        ...(isLast(route) ? ['409 conflict'] : []),
      ]
      const isAccepted = accepted.some((one) => [`${status}`, `${status} ${body?.code}`].includes(one))
      outcomes.push([route.name, ...rejected.map((response) => `${response.status} ${response.body.code}`), isAccepted])
    }

    assert.ok(outcomes.length > 20, `${outcomes.length} routes`)
    const expected = ['401 authentication_required', '403 scope_required', '403 scope_required', true]
    for (const [name, ...outcome] of outcomes) assert.deepEqual(outcome, expected, name)
  })
}
