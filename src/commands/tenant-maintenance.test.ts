import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Type } from 'typebox'
import { getTenantStatus } from '#modules/identity'
import { countStatements, startTestApp } from '#testing'
import { createOperator } from './operator.stand-in.ts'

const path = '/forms/:slug'
const { config, tenant, systemDb, services, client, domain } = await startTestApp(
  {},
  {
    routes: () => async (app) => {
      const schema = { hide: true, params: Type.Object({ slug: Type.String() }) }
      app.route({ method: 'POST', url: path, config: { public: true }, schema, handler: async () => ({}) })
      app.route({
        method: 'POST',
        url: `${path}/any-host`,
        config: { public: true, anyHost: true },
        schema,
        handler: async (request) => {
          await request.enterTenant(request.params.slug)
          return {}
        },
      })
    },
  },
)
const operator = createOperator(config)
const start = (slug: string) =>
  operator.run('tenant', 'start-maintenance', slug, '--reason', 'Restoring data', '--json')

test('a workspace in maintenance rejects writes from the next request on, and reads, sign-in and administration work', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  const { key } = (await acme.admin.post('/api/api-keys', { name: 'Sync', scopes: ['leads.write'] })).body
  const byKey = acme.bearer(`ApiKey ${key}`)

  const started = await start(acme.slug)
  const rejected = [
    await acme.member.post('/api/leads/', { last_name: 'Reed' }),
    await byKey.post('/api/leads/', { last_name: 'Reed' }),
    await acme.member.patch(`/api/leads/${lead.id}`, { title: 'CEO' }),
    await acme.member.delete(`/api/leads/${lead.id}`),
    await acme.manager.post('/api/teams/', { name: 'Sales' }),
    await acme.anonymous.post(`/forms/${acme.slug}`, {}),
    await client({ host: domain }).post(`/forms/${acme.slug}/any-host`, {}),
  ]
  const allowed = [
    await acme.member.get(`/api/leads/${lead.id}`),
    await acme.member.get('/api/leads/'),
    await acme.member.patch('/api/auth/profile', { title: 'Seller' }),
    await acme.admin.patch(`/api/users/${acme.member.userId}`, { title: 'Account executive' }),
    await acme.admin.patch('/api/admin/settings', { general: { week_starts_on: 'sunday' } }),
    await acme.anonymous.get('/login'),
    await other.member.post('/api/leads/', { last_name: 'Reed' }),
  ]
  const link = await acme.anonymous.post('/pages/password-link', { token: 'x'.repeat(43) })
  const forbidden = await acme.viewer.post('/api/leads/', { last_name: 'Reed' })
  const ended = await operator.run('tenant', 'end-maintenance', acme.slug)
  const after = await acme.member.post('/api/leads/', { last_name: 'Reed' })

  assert.equal(started.body.tenant.maintenance, 'Restoring data')
  for (const { status, body, headers } of rejected)
    assert.deepEqual([status, body.code, headers['retry-after']], [409, 'tenant_in_maintenance', '30'])
  for (const { status, body } of allowed) assert.ok(status < 300, JSON.stringify(body))
  assert.notEqual(link.body.code, 'tenant_in_maintenance')
  assert.equal(forbidden.status, 403)
  assert.deepEqual([ended.exitCode, after.status], [0, 201])
  assert.deepEqual(
    (await acme.audit()).filter((action: string) => action.startsWith('tenant.')),
    ['tenant.maintenance_started', 'tenant.maintenance_ended'],
  )
})

test('the check for maintenance needs no statement of its own', async () => {
  const acme = await tenant()
  await start(acme.slug)
  await acme.member.get('/api/auth/me')

  const { statements } = await countStatements(services.db.pool, () =>
    acme.member.post('/api/leads/', { last_name: 'Reed' }),
  )

  assert.equal(statements, 1)
})

test('maintenance is started once, of an active workspace, and ended once', async () => {
  const acme = await tenant()
  const suspended = await tenant()
  await operator.run('tenant', 'suspend', suspended.slug, '--reason', 'unpaid')

  const exitCodes = [
    (await start(acme.slug)).exitCode,
    (await start(acme.slug)).exitCode,
    (await start(suspended.slug)).exitCode,
    (await start('unknown')).exitCode,
    (await operator.run('tenant', 'start-maintenance', acme.slug)).exitCode,
  ]
  const status = await getTenantStatus(systemDb, acme.id)
  const endCodes = [
    (await operator.run('tenant', 'end-maintenance', acme.slug)).exitCode,
    (await operator.run('tenant', 'end-maintenance', acme.slug)).exitCode,
  ]

  assert.deepEqual(exitCodes, [0, 4, 4, 3, 2])
  assert.deepEqual([status, await getTenantStatus(systemDb, acme.id)], ['maintenance', 'active'])
  assert.deepEqual(endCodes, [0, 4])
})
