// Query plans of teams, explained as the application role.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant, type TenantTx } from '#platform/db'
import { newId } from '#platform/ids'
import { type Loader, loadRows, startPlanDb, startQueryPlans } from '#testing'
import { isLeadOf, listLedUserIds } from './team-leads.queries.ts'
import { listMemberRows, lockMember } from './team-members.queries.ts'
import { getTeam, listTeams } from './teams.queries.ts'

const { owner, database, db } = await startPlanDb()
const [acmeId, memberId] = [newId(), newId()]
await loadRows(owner, async (client) => {
  await addMany(client, acmeId, 1_000)
  for (let others = 0; others < 5; others++) await addMany(client, newId(), 1_000)
})
const { rows } = await owner.query('select id from identity.teams where tenant_id = $1 limit 1', [acmeId])
const teamId: string = rows[0].id
const plans = await startQueryPlans({ owner, database })
const planOf = (work: (tx: TenantTx) => Promise<unknown>) => plans.planOf(systemActor(acmeId), work)

const page = { limit: 50, offset: 0 }

test('a page of teams is an ordered scan of the name index', async () => {
  const plan = await planOf((tx) => listTeams(tx, page))

  assert.match(plan, /Index Scan using teams_(by_name|name_unique) on teams.*\n\s+Index Cond: .*tenant_id/)
  assert.match(
    plan,
    /Index Only Scan using team_members_once on team_members.*\n\s+Index Cond: .*tenant_id.*team_id = /,
  )
  assert.match(plan, /team_members_leads.*\n\s+Index Cond: .*tenant_id.*team_id = /)
  assert.doesNotMatch(plan, /Seq Scan/)
})

test('a page after a cursor starts its scan at the cursor', async () => {
  const { next_cursor } = await inTenant(db, systemActor(acmeId), (tx) => listTeams(tx, page))

  const plan = await planOf((tx) => listTeams(tx, { ...page, cursor: next_cursor! }))

  assert.match(plan, /teams_by_name.*\n\s+Index Cond: .*tenant_id.*ROW\(.*name_key, .*id\) > ROW/)
})

test('the parent and member filters use an index', async () => {
  const byParent = await planOf((tx) => listTeams(tx, { ...page, parent_team_id: teamId }))
  const byMember = await planOf((tx) => listTeams(tx, { ...page, user_id: memberId }))

  assert.match(byParent, /teams_by_parent.*\n\s+Index Cond: .*tenant_id.*parent_team_id = /)
  assert.match(byMember, /teams_pkey.*\n\s+Index Cond: .*tenant_id.*id = ANY/)
  assert.match(byMember, /team_members_by_user.*\n\s+Index Cond: .*tenant_id.*user_id = /)
})

test('a team and its members are read by primary key', async () => {
  const plan = await planOf((tx) => getTeam(tx, teamId))
  const members = await planOf((tx) => listMemberRows(tx, teamId, page))
  const member = await planOf((tx) => lockMember(tx, teamId, memberId).catch(() => undefined))

  assert.match(plan, /teams_pkey.*\n\s+Index Cond: .*tenant_id.*id = /)
  assert.match(members, /team_members_once.*\n\s+Index Cond: .*tenant_id.*team_id = /)
  assert.match(member, /Index Cond: .*tenant_id.*(team_id|id|user_id) = /)
  assert.doesNotMatch(plan + members + member, /Seq Scan/)
})

test('the members of a lead are found by the teams of the lead', async () => {
  const { rows: leads } = await owner.query(
    `select user_id from identity.team_members where tenant_id = $1 and role = 'lead' limit 1`,
    [acmeId],
  )
  const leadId: string = leads[0].user_id

  const led = await planOf((tx) => listLedUserIds(tx, leadId))
  const pair = await planOf((tx) => isLeadOf(tx, leadId, memberId))

  assert.match(led, /team_members_once.*\n\s+Index Cond: .*tenant_id.*team_id = ANY/)
  for (const plan of [led, pair])
    assert.match(plan, /team_members_(leads|by_user).*\n\s+Index Cond: .*tenant_id.*user_id = /)
  assert.doesNotMatch(led + pair, /Seq Scan/)
})

async function addMany(client: Loader, tenantId: string, count: number) {
  await client.query(
    `insert into identity.teams (tenant_id, id, name, search_text)
     select $1, gen_random_uuid(), md5(n::text), md5(n::text) from generate_series(1, $2::integer) n`,
    [tenantId, count],
  )
  await client.query(
    `with crowd as (
       insert into identity.users (tenant_id, id, email, name, status, forecast_participant, source, search_text)
       select $1, gen_random_uuid(), n || '@crowd.example', md5(n::text), 'active', true, 'sample', ''
       from generate_series(1, 2000) n returning id
     ), busy as (select id from crowd limit 20)
     insert into identity.team_members (tenant_id, id, team_id, user_id, role)
     select $1, gen_random_uuid(), t.id, busy.id, case when random() < 0.05 then 'lead' else 'member' end
     from busy, identity.teams t where t.tenant_id = $1`,
    [tenantId],
  )
}
