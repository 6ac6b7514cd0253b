import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../contract/endpoint.ts'
import { findFixtureGaps } from './fixture-gaps.ts'
import { startMatrixApp } from './matrix-app.ts'
import { allScopes, requiredScope, scopesOfRole } from './permissions.ts'
import { formatReport } from './report.ts'
import { runScopeMatrix } from './scopes.ts'

const app = await startMatrixApp()

test('the permissions of the matrix match the contract', () => {
  const roles = ['admin', 'manager', 'member', 'viewer'] as const
  const wrong = endpoints.filter(
    ({ auth, method, path, scope }) =>
      auth !== 'none' && requiredScope(method, path)?.split('.')[0] !== (scope ?? undefined),
  )

  assert.equal(allScopes.length, 114)
  assert.deepEqual(
    roles.map((role) => scopesOfRole(role).size),
    [114, 109, 81, 37],
  )
  assert.deepEqual(wrong, [])
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

test('every caller can do exactly what their scopes and role allow', async (t) => {
  const result = await runScopeMatrix(app, app.routes, process.env.MATRIX === 'full' ? {} : { unrelatedKeys: 8 })

  for (const line of formatReport('scopes', result)) t.diagnostic(line)
  assert.equal(result.findings.length, 0)
})
