import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOfRole, type UserActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { listForecastUsers } from './forecast-users.service.ts'

const { tenant, clock, db } = await startTestApp()
const page = { limit: 50, offset: 0 }

test('the forecast lists active participants with the current fiscal quarter', async () => {
  const acme = await tenant()
  const { body: team } = await acme.admin.post('/api/teams/', {
    name: 'Sales',
    members: [{ user_id: acme.member.userId }],
  })
  await acme.admin.post('/api/teams/', { name: 'Another', members: [{ user_id: acme.member.userId }] })
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { quarterly_quota: { amount: '100000', currency: 'EUR' } })
  await acme.admin.patch('/api/admin/settings', { general: { fiscal_year_start_month: 2 } })
  const inactive = await acme.person('member')
  await acme.admin.patch(`/api/users/${inactive.userId}`, { status: 'deactivated' })

  const { status, body, headers } = await acme.viewer.get('/api/users/forecast-users')

  assert.deepEqual([status, headers['x-total-count']], [200, '2'])
  assert.deepEqual(
    body.map(({ id }: { id: string }) => id),
    [acme.manager.userId, acme.member.userId],
  )
  assert.equal((Number(body[0].period.start_on.slice(5, 7)) - 2 + 12) % 3, 0)
  assert.partialDeepStrictEqual(body[1], {
    team: { id: team.id, name: 'Sales' },
    quota: { amount: '100000.00', currency: 'EUR' },
    open_amount: { amount: '0.00', currency: 'EUR' },
    projected_amount: { amount: '0.00', currency: 'EUR' },
    open_count: 0,
    attainment_rate: 0,
  })
  assert.deepEqual([body[0].team, body[0].quota], [null, null])
  const second = await acme.viewer.get('/api/users/forecast-users?limit=1&offset=1')
  assert.deepEqual(second.body, [body[1]])
})

test('forecast figures come from the registered source and require its scope', async () => {
  const acme = await tenant()
  const figures = { open_minor: 100, weighted_minor: 50, won_minor: 25, open_count: 1 }
  const source = { scope: 'opportunities.read' as const, load: async () => new Map([[acme.member.userId, figures]]) }
  const actorWith = (scopes: UserActor['scopes']) =>
    ({ ...actorFields, tenantId: acme.id, userId: acme.viewer.userId, scopes }) as UserActor
  const list = (viewer: UserActor) =>
    inTenant(db, viewer, (tx) => listForecastUsers(tx, viewer, page, { source, now: clock.now() }))

  const visible = await list(actorWith(scopesOfRole('viewer')))
  const hidden = await list(actorWith(new Set(['users.read'])))

  const amounts = ({ items }: typeof visible) => items.map(({ projected_amount }) => projected_amount?.amount ?? null)
  assert.deepEqual(amounts(visible), ['0.00', '0.75'])
  assert.deepEqual(amounts(hidden), [null, null])
})

const actorFields = {
  type: 'user',
  role: 'viewer',
  actorUserId: null,
  sessionId: null,
  apiKeyId: null,
  trace: null,
  origin: 'api',
}
