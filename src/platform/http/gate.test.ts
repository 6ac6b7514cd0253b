import assert from 'node:assert/strict'
import { test } from 'node:test'
import Fastify from 'fastify'
import { refuseUndeclared } from './gate.ts'
import type { RouteConfig } from './route-config.ts'

const app = Fastify()
app.addHook('onRoute', refuseUndeclared)

const declaring = (method: string, url: string, config?: RouteConfig) => () =>
  app.route({ method, url, config, handler: async () => ({}) })

test('a route that does not say who may call it does not start', () => {
  assert.throws(declaring('GET', '/api/leads/'), /must declare/)
  assert.throws(declaring('GET', '/api/leadsheets', { scope: 'leads.read' }), /must declare config.signedIn/)
  assert.throws(declaring('GET', '/api/leads/', { signedIn: true }), /must declare config.scope 'leads.read'/)
  assert.throws(declaring('GET', '/api/leads/', { scope: 'leads.read', public: true }), /must declare/)
})

test('a route asks for the scope that its path and method call for', () => {
  assert.throws(declaring('PATCH', '/api/leads/:lead_id', { scope: 'leads.read' }), /config.scope 'leads.write'/)
  assert.throws(declaring('DELETE', '/api/leads/:lead_id', { scope: 'leads.write' }), /config.scope 'leads.delete'/)
  assert.throws(declaring('GET', '/api/health/audit', { scope: 'users.read' }), /config.scope 'admin.read'/)
  assert.doesNotThrow(declaring('PATCH', '/api/leads/:lead_id', { scope: 'leads.write' }))
  assert.doesNotThrow(declaring('GET', '/api/enablement/readiness', { scope: 'insights.read' }))
  assert.doesNotThrow(declaring('POST', '/api/auth/logout', { signedIn: true }))
  assert.doesNotThrow(declaring('GET', '/health', { public: true }))
})
