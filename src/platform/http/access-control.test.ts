import assert from 'node:assert/strict'
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
  assert.throws(declareRoute('GET', '/api/leadsheets', { scope: 'leads.read' }), /must declare config.signedIn/)
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
