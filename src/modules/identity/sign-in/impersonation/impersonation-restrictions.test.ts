// Checks on every route what is not allowed while impersonating.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { isForbiddenForImpersonation } from '../../credentials/request-auth/request-auth.rules.ts'
import { impersonate } from './impersonation.fixture.ts'

const app = await startTestApp()
const closed = [
  /^\w+ \/api\/auth\/(?!me$|logout$)/,
  /^\w+ \/api\/api-keys/,
  /^(POST|PUT|PATCH|DELETE) \/api\/connected-apps/,
  /^\w+ \/api\/admin\//,
  /^POST \/api\/users\/[^/]+\/(impersonate|reset-password)$/,
  /^DELETE \/api\/users\/[^/]+$/,
  /^POST \/api\/webhooks\/?$/,
  /^POST \/api\/webhooks\/[^/]+\/rotate-secret$/,
]

type Operation = { security?: unknown[]; description?: string }
const document = () => app.app.swagger() as { paths: Record<string, Record<string, Operation>> }

test('restricted routes are rejected while impersonating and all others are allowed', async () => {
  const acme = await app.tenant()
  await acme.admin.patch('/api/admin/settings', { security: { impersonation_admin_targets: true } })
  const impersonator = await impersonate(acme, await acme.person('admin'))
  const send = {
    GET: impersonator.get,
    POST: impersonator.post,
    PUT: impersonator.put,
    PATCH: impersonator.patch,
    DELETE: impersonator.delete,
  }
  const routes = Object.entries(document().paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method, { description = '' }]) => ({
        method: method.toUpperCase() as keyof typeof send,
        path,
        isDeclaredClosed: description.includes('Not allowed while impersonating a user.'),
      })),
  )

  const wrong: string[] = []
  let rejected = 0
  for (const { method, path, isDeclaredClosed } of routes.filter((route) => route.path !== '/api/auth/logout')) {
    const url = path.replace(/\{\w+\}/g, newId())
    const { status, body, headers } = await send[method](url)
    const isClosed = status === 403 && body?.code === 'impersonation_not_allowed'
    const name = `${method} ${path}`
    if (isClosed !== (isDeclaredClosed || closed.some((pattern) => pattern.test(name))))
      wrong.push(`${name} ${status} ${body?.code}`)
    if (headers['x-impersonated-by'] !== acme.admin.userId) wrong.push(`${name} does not say who is behind it`)
    if (isClosed) rejected++
  }

  assert.deepEqual(wrong, [])
  assert.ok(rejected >= 8, `${rejected} routes of ${routes.length}`)
})

test('identity-7-2 admin routes are not accessible while impersonating a member', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.member)

  const response = await impersonator.get('/api/admin/settings')

  assert.deepEqual([response.status, response.body.code], [403, 'impersonation_not_allowed'])
})

test('identity-7-3 passwords and API keys cannot be changed while impersonating', async () => {
  const acme = await app.tenant()
  const impersonator = await impersonate(acme, acme.member)

  const responses = [
    await impersonator.post('/api/auth/change-password', { current_password: 'x', new_password: 'y' }),
    await impersonator.post('/api/api-keys', { name: 'Machine', scopes: ['leads.read'] }),
    await impersonator.post(`/api/users/${acme.viewer.userId}/reset-password`),
  ]

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [403, 'impersonation_not_allowed'])
})

test('new routes are restricted by their path', () => {
  const isClosed = (method: string, url: string, config = {}) => isForbiddenForImpersonation(method, url, config)

  assert.ok(isClosed('GET', '/api/auth/anything/:id'))
  assert.ok(isClosed('GET', '/api/admin/backups/:backup_id/download'))
  assert.ok(isClosed('DELETE', '/api/admin/'))
  assert.ok(isClosed('GET', '/api/somewhere', { signedIn: true }))
  assert.ok(isClosed('POST', '/api/webhooks/', { scope: 'webhooks.write', oneTimeFields: ['secret'] }))
  assert.ok(isClosed('POST', '/api/webhooks/:endpoint_id/rotate-secret'))
  assert.ok(!isClosed('GET', '/api/webhooks/'))
  assert.ok(!isClosed('GET', '/api/connected-apps/:app_id'))
  assert.ok(!isClosed('GET', '/api/administrators'))
  assert.ok(!isClosed('POST', '/api/auth/logout/', { signedIn: true }))
  assert.ok(!isClosed('POST', '/api/enablement/coaching/roleplay/:session_id/message', { scope: 'coaching.write' }))
})

test('routes that record evidence about a user declare that they are restricted', () => {
  const config = { scope: 'coaching.write', notWhileImpersonating: true } as const

  assert.ok(isForbiddenForImpersonation('POST', '/api/enablement/coaching/roleplay/:session_id/message', config))
})
