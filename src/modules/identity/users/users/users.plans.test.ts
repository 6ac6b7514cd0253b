// Query plans of user queries, run as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scopesOfRole, type UserActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { listOnlineUsers } from '../../sign-in/user-activity/active-sessions.queries.ts'
import { listLoginRows } from '../../sign-in/user-activity/login-history.queries.ts'
import { getUser } from '../../workspace/user-records/users.queries.ts'
import { listForecastUserRows } from '../forecast-users/forecast-users.queries.ts'
import { listDirectReports } from '../user-profile/profile.queries.ts'
import { listUsers } from './list-users.queries.ts'
import { lockActiveAdmins } from './user-locks.queries.ts'

const { owner, database, db } = await startPlanDb()
const [acmeId, memberId, viewerId] = [newId(), newId(), newId()]
await loadRows(owner, async (client) => {
  await insertUsers(client, acmeId, 5_000)
  await insertUsers(client, newId(), 10_000)
})
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(viewer, work)

const page = { limit: 50, offset: 0 }
const viewer = {
  tenantId: acmeId,
  userId: viewerId,
  type: 'user',
  role: 'viewer',
  scopes: scopesOfRole('viewer'),
  origin: 'api',
} as UserActor
const unknownId = newId()

test('a page of users is read from the name index in its order', async () => {
  const plan = await planOf((tx) => listUsers(tx, viewer, page))

  assert.match(plan, /Index Scan using users_by_name on users.*\n\s+Index Cond: .*tenant_id/)
  assert.doesNotMatch(plan, /Seq Scan|Sort Key: users/)
})

test('a page after a cursor starts at the cursor position in the index', async () => {
  const { next_cursor } = await inTenant(db, viewer, (tx) => listUsers(tx, viewer, page))

  const plan = await planOf((tx) => listUsers(tx, viewer, { ...page, cursor: next_cursor! }))

  assert.match(plan, /users_by_name.*\n\s+Index Cond: .*tenant_id.*ROW\(.*name_key, .*id\) > ROW/)
})

for (const [name, filter, pattern] of [
  ['role', { role: ['manager'] }, /users_by_role.*\n\s+Index Cond: .*tenant_id.*role = /],
  ['status', { status: ['invited'] }, /users_by_status.*\n\s+Index Cond: .*tenant_id.*status = /],
  ['manager', { manager_id: unknownId }, /users_by_manager.*\n\s+Index Cond: .*tenant_id.*manager_id = /],
  ['team', { team_id: unknownId }, /users_pkey.*\n\s+Index Cond: .*tenant_id.*id = ANY/],
  ['word', { search: '60815949' }, /users_pkey.*\n\s+Index Cond: .*tenant_id.*id = ANY/],
] as const)
  test(`users are found by ${name} through an index`, async () => {
    const plan = await planOf((tx) => listUsers(tx, viewer, { ...page, ...filter } as never))

    assert.match(plan, pattern)
    assert.doesNotMatch(plan, /Seq Scan/)
  })

test('a filter by one role needs no sort', async () => {
  const plan = await planOf((tx) => listUsers(tx, viewer, { ...page, role: ['manager'] }))

  assert.doesNotMatch(plan, /Sort Key: users/)
})

test('a search uses the text index', async () => {
  const plan = await planOf((tx) => listUsers(tx, viewer, { ...page, search: '60815949 example' }))

  assert.match(plan, /Bitmap Index Scan on users_by_text.*\n\s+Index Cond: .*tenant_id.*search_text ~~/)
})

test('a user is found by primary key', async () => {
  const plan = await planOf((tx) => getUser(tx, viewer, memberId))

  assert.match(plan, /users_pkey.*\n\s+Index Cond: .*tenant_id.*id = /)
  assert.match(plan, /team_members_by_user.*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.doesNotMatch(plan, /Seq Scan on (users|user_presence|user_credentials|team_members)/)
})

test('active sessions are read from the index of live sessions only', async () => {
  const now = new Date()
  const window = { now, since: new Date(now.getTime() - 900_000) }

  const plan = await planOf((tx) => listOnlineUsers(tx, window, page))

  assert.match(plan, /sessions_live_by_last_seen.*\n\s+(Index Cond|Recheck Cond): .*tenant_id.*last_seen_at >= /)
  assert.match(plan, /sessions_live_by_(user|last_seen)/)
  assert.doesNotMatch(plan, /Seq Scan on sessions/)
})

test('sign-ins are read from the user index, newest first', async () => {
  const plan = await planOf((tx) => listLoginRows(tx, memberId, page))

  assert.match(plan, /login_events.*user_id.*\n\s+Index Cond: .*tenant_id.*user_id = /)
})

test('forecast users, direct reports and admins are found through an index', async () => {
  const forecast = await planOf((tx) => listForecastUserRows(tx, page))
  const reports = await planOf((tx) => listDirectReports(tx, unknownId))
  const admins = await planOf((tx) => lockActiveAdmins(tx))

  assert.match(forecast, /Index Scan using users_in_forecast on users/)
  assert.doesNotMatch(forecast, /Sort Key: users/)
  assert.match(reports, /users_by_manager.*\n\s+Index Cond: .*tenant_id.*manager_id = /)
  assert.match(admins, /users_active_by_role|users_by_role/)
  assert.doesNotMatch(forecast + reports + admins, /Seq Scan on users/)
})

async function insertUsers(client: Loader, tenantId: string, count: number) {
  await client.query(
    `insert into identity.users (tenant_id, id, email, name, role, status, forecast_participant, source, search_text)
     select $1, coalesce(($3::uuid[])[n], gen_random_uuid()), n || '@engines.example', md5(n::text), (array['member', 'member', 'manager', 'viewer'])[1 + n % 4],
       (array['active', 'active', 'active', 'invited', 'deactivated'])[1 + n % 5], true, 'admin', md5(n::text) || ' ' || n || '@engines.example'
     from generate_series(1, $2::integer) n`,
    [tenantId, count, [memberId, viewerId]],
  )
  await client.query(
    `insert into identity.teams (tenant_id, id, name, search_text)
     select $1, gen_random_uuid(), md5(n::text), '' from generate_series(1, 100) n`,
    [tenantId],
  )
  const forEachUser = (text: string) =>
    client.query(`${text} from identity.users u where u.tenant_id = $1 on conflict do nothing`, [tenantId])
  await forEachUser('insert into identity.user_presence (tenant_id, user_id) select tenant_id, id')
  await forEachUser(
    'insert into identity.user_credentials (tenant_id, user_id, password_hash) select tenant_id, id, md5(name)',
  )
  await forEachUser(`insert into identity.user_identities (tenant_id, id, user_id, provider, issuer, subject, email)
    select tenant_id, gen_random_uuid(), id, 'google', 'https://accounts.google.com', id, email`)
  await forEachUser(`insert into identity.team_members (tenant_id, id, team_id, user_id)
    select tenant_id, gen_random_uuid(), (select id from identity.teams t where t.tenant_id = u.tenant_id limit 1), id`)
  await forEachUser(`insert into identity.login_events (tenant_id, id, user_id, email_hash, outcome, method, ip)
    select tenant_id, platform.id_at(now() - random() * interval '1 second'), id, '', 'success', 'password', '127.0.0.1'`)
  await forEachUser(`insert into identity.sessions (tenant_id, id, user_id, auth_method, authenticated_at, ip, last_seen_at, idle_expires_at, expires_at)
    select tenant_id, gen_random_uuid(), id, 'password', now(), '127.0.0.1', now() - random() * interval '14 days',
      now() + interval '1 day', now() + interval '1 day'`)
}
