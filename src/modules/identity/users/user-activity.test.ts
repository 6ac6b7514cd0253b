import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SignedIn } from '#platform/access'
import { scopesOfRole } from '#platform/access'
import { inTenant } from '#platform/db'
import { password, startTestApp } from '#testing'
import { forecastUsers } from './forecast-users.service.ts'

const { tenant, clock, db } = await startTestApp()
const page = { limit: 50, offset: 0 }

type Workspace = Awaited<ReturnType<typeof tenant>>

test('identity-4-10 people see their own sign-ins, failed ones too; those of others only admins see', async () => {
  const acme = await tenant()
  const { member, admin } = acme
  const url = `/api/users/${member.userId}/login-history`
  const agent = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0' }
  await acme.anonymous.post('/api/auth/login', { email: member.email, password: 'not the password' }, agent)
  await acme.anonymous.post('/api/auth/login', { email: member.email, password }, agent)

  const own = await member.get(url)
  const ofAdmin = await admin.get(`${url}?limit=1&offset=1`)

  assert.deepEqual([own.status, own.body.total], [200, 2])
  const [success, failure] = own.body.items
  assert.partialDeepStrictEqual(success, { outcome: 'success', method: 'password', ip: '127.0.0.1', actor: null })
  assert.deepEqual([failure.outcome, failure.device, failure.session_id], ['failure', 'Firefox on Windows', null])
  assert.ok(Math.abs(Date.parse(failure.occurred_at) - Date.now()) < 60_000)
  assert.deepEqual(
    ofAdmin.body.items.map(({ id }: { id: string }) => id),
    [failure.id],
  )
  const others = await acme.viewer.get(url)
  assert.deepEqual([others.status, others.body.code], [403, 'role_required'])
  assert.equal((await acme.manager.get(url)).status, 403)
  assert.equal((await member.get(`${url}?limit=201`)).status, 422)
  const first = await member.get(`${url}?limit=1`)
  const second = await member.get(`${url}?limit=1&cursor=${first.body.next_cursor}`)
  assert.deepEqual(
    second.body.items.map(({ id }: { id: string }) => id),
    [failure.id],
  )
})

async function seen(acme: Workspace, sessionId: string, secondsAgo: number) {
  const at = new Date(clock.now().getTime() - secondsAgo * 1_000)
  await acme.sql('update identity.sessions set last_seen_at = $1 where id = $2', [at, sessionId])
}

const onlineIds = (body: { items: { user: { id: string } }[] }) => body.items.map(({ user }) => user.id)

test('identity-4-11 whoever was here within the threshold is online, and nobody after signing out', async () => {
  const acme = await tenant()
  const url = '/api/users/admin/active-sessions'
  await seen(acme, acme.admin.sessionId, 5_000)
  await seen(acme, acme.manager.sessionId, 5_000)
  await seen(acme, acme.viewer.sessionId, 901)
  await seen(acme, acme.member.sessionId, 899)

  const { status, body } = await acme.admin.get(url)

  assert.equal(status, 200)
  assert.deepEqual(onlineIds(body), [acme.member.userId])
  assert.partialDeepStrictEqual(body, { total: 1, total_relation: 'eq', threshold_seconds: 900, next_cursor: null })
  assert.partialDeepStrictEqual(body.items[0], {
    user: { id: acme.member.userId, name: acme.member.name, email: acme.member.email, role: 'member' },
    session_count: 1,
    sessions: [{ id: acme.member.sessionId, auth_method: 'password', ip: '127.0.0.1', actor: null }],
  })
  assert.deepEqual(onlineIds((await acme.admin.get(`${url}?threshold_seconds=1000`)).body), [
    acme.member.userId,
    acme.viewer.userId,
  ])
  assert.equal((await acme.manager.get(url)).body.code, 'role_required')
  assert.equal((await acme.admin.get(`${url}?threshold_seconds=59`)).status, 422)
  await acme.member.post('/api/auth/logout')
  assert.deepEqual((await acme.admin.get(url)).body.items, [])
})

test('the threshold of the workspace binds on the next request', async () => {
  const acme = await tenant()
  await seen(acme, acme.member.sessionId, 300)
  const url = '/api/users/admin/active-sessions'
  assert.ok(onlineIds((await acme.admin.get(url)).body).includes(acme.member.userId))

  await acme.admin.patch('/api/admin/settings', { security: { activity_threshold_seconds: 60 } })
  const { body } = await acme.admin.get(url)

  assert.equal(body.threshold_seconds, 60)
  assert.ok(!onlineIds(body).includes(acme.member.userId))
})

test('a person is listed once, with the newest of many sessions, and pages follow one another', async () => {
  const acme = await tenant()
  for (let count = 0; count < 11; count++) await acme.signIn(acme.viewer.userId)
  const url = '/api/users/admin/active-sessions'

  const { body } = await acme.admin.get(url)
  const first = await acme.admin.get(`${url}?limit=3`)
  const second = await acme.admin.get(`${url}?limit=3&cursor=${first.body.next_cursor}`)

  const viewer = body.items.find(({ user }: { user: { id: string } }) => user.id === acme.viewer.userId)
  assert.deepEqual([viewer.session_count, viewer.sessions.length], [12, 10])
  assert.deepEqual([first.body.total, second.body.total], [4, null])
  assert.deepEqual([...onlineIds(first.body), ...onlineIds(second.body)], onlineIds(body))
})

test('it is told who is there in the name of somebody else', async () => {
  const acme = await tenant()
  const { rows } = await acme.sql(
    `insert into identity.sessions (tenant_id, id, user_id, kind, auth_method, authenticated_at, ip, last_seen_at, idle_expires_at,
       expires_at, parent_session_id, actor_user_id)
     select tenant_id, gen_random_uuid(), $2, 'impersonation', 'impersonation', authenticated_at, ip, last_seen_at, idle_expires_at,
       expires_at, id, user_id from identity.sessions where id = $1 returning id`,
    [acme.admin.sessionId, acme.member.userId],
  )

  const { body } = await acme.admin.get('/api/users/admin/active-sessions')

  const member = body.items.find(({ user }: { user: { id: string } }) => user.id === acme.member.userId)
  const acting = member.sessions.find(({ id }: { id: string }) => id === rows[0].id)
  assert.equal(member.session_count, 2)
  assert.deepEqual(acting.actor, { id: acme.admin.userId, name: acme.admin.name })
})

test('a session that ran out is not online', async () => {
  const acme = await tenant()
  await acme.sql('update identity.sessions set idle_expires_at = $2 where id = $1', [
    acme.member.sessionId,
    clock.now(),
  ])

  const { body } = await acme.admin.get('/api/users/admin/active-sessions')

  assert.ok(!onlineIds(body).includes(acme.member.userId))
})

const emptyBook = { leads: null, contacts: null, accounts: null, opportunities: null, campaigns: null, rooms: null }
const nobodysDeals = {
  open_count: 0,
  open_amount: { amount: '0.00', currency: 'EUR' },
  weighted_amount: { amount: '0.00', currency: 'EUR' },
  overdue_count: 0,
  won_count: 0,
  won_amount: { amount: '0.00', currency: 'EUR' },
  lost_count: 0,
  win_rate: null,
  average_cycle_days: null,
}

test('identity-4-12 a profile has zeros for what a person does not own, and nulls for what the caller may not see', async () => {
  const acme = await tenant()
  const { body: created } = await acme.admin.post('/api/api-keys', { name: 'Phone book', scopes: ['users.read'] })
  const phoneBook = acme.bearer(`ApiKey ${created.key}`)
  const url = `/api/users/${acme.member.userId}/profile`

  const full = await acme.viewer.get(`${url}?period_days=30`)
  await acme.member.post('/api/leads/', { last_name: 'Moss', owner_id: acme.member.userId })
  const again = await acme.viewer.get(`${url}?period_days=30`)
  const narrow = await phoneBook.get(url)

  assert.equal(full.status, 200)
  assert.deepEqual(full.body.book.leads, { owned: 0, open: 0, by_status: {}, by_grade: {}, untouched_7d: 0 })
  assert.deepEqual(full.body.book.opportunities, nobodysDeals)
  assert.deepEqual([full.body.enablement, full.body.concentration_rate], [null, null])
  assert.deepEqual([full.body.direct_reports, full.body.recent_activity], [[], []])
  const days = (Date.parse(full.body.period.to) - Date.parse(full.body.period.from)) / 86_400_000
  assert.equal(days, 30)
  assert.deepEqual(again.body.book, full.body.book, 'counted once in half a minute')
  assert.equal(narrow.status, 200)
  assert.deepEqual(narrow.body.book, emptyBook)
  assert.equal((await acme.viewer.get(`${url}?period_days=6`)).status, 422)
})

test('a profile shows whom somebody reports to, who reports to them and what they did lately', async () => {
  const acme = await tenant()
  const { body: team } = await acme.manager.post('/api/teams/', { name: 'Engines' })
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { manager_id: acme.manager.userId })
  await acme.admin.patch('/api/admin/settings', { general: { locale: 'de' } })

  const manager = await acme.viewer.get(`/api/users/${acme.manager.userId}/profile`)
  const member = await acme.viewer.get(`/api/users/${acme.member.userId}/profile`)
  const adminSeen = await acme.viewer.get(`/api/users/${acme.admin.userId}/profile`)
  const adminOwn = await acme.admin.get(`/api/users/${acme.admin.userId}/profile`)

  assert.deepEqual(manager.body.direct_reports, [{ id: acme.member.userId, name: acme.member.name }])
  assert.deepEqual(member.body.manager, { id: acme.manager.userId, name: acme.manager.name })
  assert.equal(manager.body.recent_activity.length, 1)
  assert.partialDeepStrictEqual(manager.body.recent_activity[0], {
    action: 'team.created',
    resource_type: 'team',
    resource_id: team.id,
    resource_label: 'Engines',
  })
  const actions = (answer: typeof manager) =>
    answer.body.recent_activity.map(({ action }: { action: string }) => action)
  assert.deepEqual(actions(adminSeen), ['user.updated'])
  assert.deepEqual(actions(adminOwn), ['settings.updated', 'user.updated'])
})

test('the forecast lists who sells, with the quarter of the fiscal year', async () => {
  const acme = await tenant()
  const { body: team } = await acme.admin.post('/api/teams/', {
    name: 'Sales',
    members: [{ user_id: acme.member.userId }],
  })
  await acme.admin.post('/api/teams/', { name: 'Another', members: [{ user_id: acme.member.userId }] })
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { quarterly_quota: { amount: '100000', currency: 'EUR' } })
  await acme.admin.patch('/api/admin/settings', { general: { fiscal_year_start_month: 2 } })
  const gone = await acme.person('member')
  await acme.admin.patch(`/api/users/${gone.userId}`, { status: 'deactivated' })

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

test('figures of the forecast come from where deals are known, for those who may see deals', async () => {
  const acme = await tenant()
  const figures = { open_minor: 100, weighted_minor: 50, won_minor: 25, open_count: 1 }
  const source = { scope: 'opportunities.read' as const, load: async () => new Map([[acme.member.userId, figures]]) }
  const actorWith = (scopes: SignedIn['scopes']) =>
    ({ ...nobody, tenantId: acme.id, userId: acme.viewer.userId, scopes }) as SignedIn
  const ask = (viewer: SignedIn) =>
    inTenant(db, viewer, (tx) => forecastUsers(tx, viewer, page, { source, now: clock.now() }))

  const seen = await ask(actorWith(scopesOfRole('viewer')))
  const hidden = await ask(actorWith(new Set(['users.read'])))

  const amounts = ({ items }: typeof seen) => items.map(({ projected_amount }) => projected_amount?.amount ?? null)
  assert.deepEqual(amounts(seen), ['0.00', '0.75'])
  assert.deepEqual(amounts(hidden), [null, null])
})

const nobody = {
  type: 'user',
  role: 'viewer',
  actorUserId: null,
  sessionId: null,
  apiKeyId: null,
  trace: null,
  origin: 'api',
}
