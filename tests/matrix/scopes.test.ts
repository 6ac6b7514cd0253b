import assert from 'node:assert/strict'
import { test } from 'node:test'
import { endpoints } from '../contract/endpoint.ts'
import { gapsIn } from './gaps.ts'
import { allScopes, scopeFor, scopesOf } from './rights.ts'
import { tryScopes } from './scopes.ts'
import { told } from './told.ts'
import { openWorld } from './world.ts'

const world = await openWorld()

test('the rights the matrix goes by are those that were agreed on', () => {
  const roles = ['admin', 'manager', 'member', 'viewer'] as const
  const wrong = endpoints.filter(
    ({ auth, method, path, scope }) =>
      auth !== 'none' && scopeFor(method, path)?.split('.')[0] !== (scope ?? undefined),
  )

  assert.equal(allScopes.length, 114)
  assert.deepEqual(
    roles.map((role) => scopesOf(role).size),
    [114, 109, 81, 37],
  )
  assert.deepEqual(wrong, [])
})

test('a route without a fixture fails the run and says what to write', async () => {
  const query = { properties: { owner_id: { format: 'uuid' } } }
  const body = { required: ['name'], properties: { parent_id: { anyOf: [{ format: 'uuid' }, { type: 'null' }] } } }
  const about = { success: 200, query, body }
  const stray = { ...about, name: 'POST /api/nowhere/:id', method: 'POST', url: '/api/nowhere/:id', params: ['id'] }
  const known = world.routes.map((route) => (route.name === 'POST /api/teams/' ? { ...route, ...about } : route))

  const sentences = (await gapsIn({ ...world, routes: [...known, stray] })).map(({ sentence }) => sentence)

  assert.deepEqual(sentences, [
    "The fixture of POST /api/teams/ leaves out /owner_id of the query, which takes an id. Give it a ref('…').",
    "The fixture of POST /api/teams/ leaves out /parent_id of the body, which takes an id. Give it a ref('…').",
    'POST /api/nowhere/:id has no fixture. Add it to its group in tests/matrix/fixtures/, with the walls it has beyond its scope:\n' +
      "  'POST /api/nowhere/:id': { path: { id: '…' }, query: { owner_id: ref('…') }, body: ({ text }) => ({ name: …, parent_id: ref('…') }) },",
  ])
})

test('everybody may do exactly what their scopes and role allow', async (t) => {
  const verdict = await tryScopes(world)

  for (const line of told('scopes', verdict)) t.diagnostic(line)
  assert.equal(verdict.findings.length, 0)
})
