import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { test } from 'node:test'
import Fastify from 'fastify'
import { assertAccessDeclared } from './access-control.ts'
import type { RouteConfig } from './route-config.ts'

const app = Fastify()
app.addHook('onRoute', assertAccessDeclared)

const declareRoute = (method: string, url: string, config?: RouteConfig) => () =>
  app.route({ method, url, config, handler: async () => ({}) })

test('a route without declared access is rejected', () => {
  assert.throws(declareRoute('GET', '/api/leads/'), /must declare/)
  assert.throws(declareRoute('POST', '/api/auth/logout'), /must declare/)
  assert.throws(declareRoute('GET', '/api/leads/', { signedIn: true }), /must declare config.scope 'leads.read'/)
  assert.throws(declareRoute('GET', '/api/leads/', { scope: 'leads.read', public: true }), /must declare/)
})

test('a route must declare the scope that follows from its path and method', () => {
  assert.throws(declareRoute('PATCH', '/api/leads/:lead_id', { scope: 'leads.read' }), /config.scope 'leads.write'/)
  assert.throws(declareRoute('DELETE', '/api/leads/:lead_id', { scope: 'leads.write' }), /config.scope 'leads.delete'/)
  assert.throws(declareRoute('GET', '/api/health/audit', { scope: 'users.read' }), /config.scope 'admin.read'/)
  assert.doesNotThrow(declareRoute('PATCH', '/api/leads/:lead_id', { scope: 'leads.write' }))
  assert.doesNotThrow(declareRoute('GET', '/api/enablement/readiness', { scope: 'insights.read' }))
  assert.doesNotThrow(declareRoute('POST', '/api/auth/logout', { signedIn: true }))
  assert.doesNotThrow(declareRoute('GET', '/health', { public: true }))
})

test('a route with a scope whose path has no resource names the files to edit', () => {
  const config = { scope: 'widgets.write' } as unknown as RouteConfig
  const files = 'add it to src/platform/access/scopes.ts and src/platform/access/roles.ts'
  const message = `No resource is registered for /api/widgets: ${files}`

  for (const url of ['/api/widgets', '/api/widgets/', '/api/widgets/:widget_id', '/api/widgets/:widget_id/copies'])
    assert.throws(declareRoute('POST', url, config), { message })
  assert.throws(declareRoute('GET', '/api/leadsheets', { scope: 'leads.read' }), /registered for \/api\/leadsheets:/)
  for (const file of files.match(/src\S+/g)!) assert.ok(existsSync(file), file)
})
