// What nobody does in somebody else's name, tried on every route there is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { isClosedToImpersonation } from '../../../platform/http/impersonation.ts'
import { actAs } from './impersonation.fixture.ts'

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

type Operation = { security?: unknown[] }
const document = () => app.app.swagger() as { paths: Record<string, Record<string, Operation>> }

test('every route that is not for others is closed, and every other one is open', async () => {
  const acme = await app.tenant()
  await acme.admin.patch('/api/admin/settings', { security: { impersonation_admin_targets: true } })
  const acting = await actAs(acme, await acme.person('admin'))
  const send = { GET: acting.get, POST: acting.post, PUT: acting.put, PATCH: acting.patch, DELETE: acting.delete }
  const routes = Object.entries(document().paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([, { security }]) => security?.length !== 0)
      .map(([method]) => ({ method: method.toUpperCase() as keyof typeof send, path })),
  )

  const wrong: string[] = []
  let refused = 0
  for (const { method, path } of routes.filter((route) => route.path !== '/api/auth/logout')) {
    const url = path.replace(/\{\w+\}/g, newId())
    const { status, body, headers } = await send[method](url)
    const isClosed = status === 403 && body?.code === 'impersonation_not_allowed'
    const name = `${method} ${path}`
    if (isClosed !== closed.some((pattern) => pattern.test(name))) wrong.push(`${name} ${status} ${body?.code}`)
    if (headers['x-impersonated-by'] !== acme.admin.userId) wrong.push(`${name} does not say who is behind it`)
    if (isClosed) refused++
  }

  assert.deepEqual(wrong, [])
  assert.ok(refused >= 8, `${refused} routes of ${routes.length}`)
})

test('identity-7-2 what belongs to admins stays with them', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.member)

  const answer = await acting.get('/api/admin/settings')

  assert.deepEqual([answer.status, answer.body.code], [403, 'impersonation_not_allowed'])
})

test('identity-7-3 nobody changes a password or makes a key in the name of somebody else', async () => {
  const acme = await app.tenant()
  const acting = await actAs(acme, acme.member)

  const answers = [
    await acting.post('/api/auth/change-password', { current_password: 'x', new_password: 'y' }),
    await acting.post('/api/api-keys', { name: 'Machine', scopes: ['leads.read'] }),
    await acting.post(`/api/users/${acme.viewer.userId}/reset-password`),
  ]

  for (const { status, body } of answers) assert.deepEqual([status, body.code], [403, 'impersonation_not_allowed'])
})

test('a route that comes later is closed by where it is', () => {
  const isClosed = (method: string, url: string, config = {}) => isClosedToImpersonation(method, url, config)

  assert.ok(isClosed('GET', '/api/auth/anything/:id'))
  assert.ok(isClosed('GET', '/api/admin/backups/:backup_id/download'))
  assert.ok(isClosed('DELETE', '/api/admin/'))
  assert.ok(isClosed('GET', '/api/somewhere', { signedIn: true }))
  assert.ok(isClosed('POST', '/api/webhooks/', { scope: 'webhooks.write', withheld: ['secret'] }))
  assert.ok(isClosed('POST', '/api/webhooks/:endpoint_id/rotate-secret'))
  assert.ok(!isClosed('GET', '/api/webhooks/'))
  assert.ok(!isClosed('GET', '/api/connected-apps/:app_id'))
  assert.ok(!isClosed('GET', '/api/administrators'))
  assert.ok(!isClosed('POST', '/api/auth/logout/', { signedIn: true }))
})
