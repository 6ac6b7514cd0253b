import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { startTestApp } from '#testing'
import { isLeadOf, listLedUserIds } from './team-leads.queries.ts'

const { tenant, db } = await startTestApp()

type Workspace = Awaited<ReturnType<typeof tenant>>
const createTeam = async ({ manager }: Workspace, name: string, more: object = {}) =>
  (await manager.post('/api/teams/', { name, ...more })).body

test('identity-5-3 two concurrent adds of the same user create one member', async () => {
  const acme = await tenant()
  const team = await createTeam(acme, 'Engines')
  const add = () => acme.manager.post(`/api/teams/${team.id}/members`, { user_id: acme.member.userId })

  const answers = await Promise.all([add(), add()])

  const [added, refused] = answers.toSorted((one, other) => one.status - other.status)
  assert.deepEqual([added!.status, refused!.status, refused!.body.code], [201, 409, 'already_exists'])
  assert.equal(refused!.body.existing_id, added!.body.id)
  assert.equal(added!.headers.location, `/api/teams/${team.id}/members/${added!.body.id}`)
  const { rows } = await acme.sql('select id from identity.team_members where tenant_id = $1', [acme.id])
  assert.equal(rows.length, 1)
  assert.deepEqual(await acme.events(), ['team.created', 'team.member_added'])
})

test('identity-5-4 the role of a member is updated by membership or user id, and only to a known role', async () => {
  const acme = await tenant()
  const team = await createTeam(acme, 'Engines', { members: [{ user_id: acme.member.userId }] })
  const [membership] = team.members
  const url = (id: string, query: string) => `/api/teams/${team.id}/members/${id}${query}`

  const without = await acme.manager.patch(url(membership.id, ''))
  const boss = await acme.manager.patch(url(membership.id, '?role=boss'))
  const byUser = await acme.manager.patch(url(acme.member.userId, '?role=lead'))
  const same = await acme.manager.patch(url(membership.id, '?role=lead'))
  const body = await acme.manager.patch(url(membership.id, '?role=lead'), { role: 'member' })

  assert.deepEqual([without.status, boss.status, body.status], [422, 422, 422])
  assert.deepEqual([byUser.status, byUser.body.id, byUser.body.role], [200, membership.id, 'lead'])
  assert.equal(same.status, 200)
  assert.deepEqual((await acme.events()).slice(2), ['team.member_updated'])
  assert.equal((await acme.viewer.get(`/api/teams/${team.id}`)).body.leads[0].id, acme.member.userId)
})

test('identity-5-9 a deactivated user stays listed and cannot be added to other teams', async () => {
  const acme = await tenant()
  const team = await createTeam(acme, 'Engines', { members: [{ user_id: acme.member.userId }] })
  const other = await createTeam(acme, 'Looms')
  await acme.admin.patch(`/api/users/${acme.member.userId}`, { status: 'deactivated' })

  const { body } = await acme.viewer.get(`/api/teams/${team.id}`)
  const added = await acme.manager.post(`/api/teams/${other.id}/members`, { user_id: acme.member.userId })

  assert.deepEqual([body.member_count, body.members[0].user.status], [1, 'deactivated'])
  assert.deepEqual([added.status, added.body.code], [409, 'conflict'])
})

test('members are listed leads first in pages and removed by membership or user id', async () => {
  const acme = await tenant()
  const people = []
  for (const name of ['carol', 'Alice', 'bob']) people.push(await acme.person('member', { name }))
  const members = people.map(({ userId, name }) => ({ user_id: userId, role: name === 'carol' ? 'lead' : 'member' }))
  const team = await createTeam(acme, 'Engines', { members })
  const url = `/api/teams/${team.id}/members`
  const names = (items: { user: { name: string } }[]) => items.map(({ user }) => user.name)

  const first = await acme.viewer.get(`${url}?limit=2`)
  const second = await acme.viewer.get(`${url}?limit=2&cursor=${first.body.next_cursor}`)
  const [byUser, byMembership, again] = [
    await acme.manager.delete(`${url}/${people[0]!.userId}`),
    await acme.manager.delete(`${url}/${team.members[1].id}`),
    await acme.manager.delete(`${url}/${people[0]!.userId}`),
  ]

  assert.deepEqual([names(first.body.items), names(second.body.items)], [['carol', 'Alice'], ['bob']])
  assert.equal(first.body.total, 3)
  assert.deepEqual([byUser.status, byMembership.status, again.status], [204, 204, 404])
  assert.deepEqual(names((await acme.viewer.get(url)).body.items), ['bob'])
  assert.deepEqual((await acme.events()).slice(-2), ['team.member_removed', 'team.member_removed'])
})

test('a workspace is limited to 1,000 teams and a team to 2,000 members', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into identity.teams (tenant_id, id, name, search_text)
     select $1, gen_random_uuid(), 'Team ' || n, '' from generate_series(1, 999) n`,
    [acme.id],
  )
  const last = await createTeam(acme, 'The last one')
  await acme.sql(
    `with crowd as (
       insert into identity.users (tenant_id, id, email, name, status, forecast_participant, source, search_text)
       select $1, gen_random_uuid(), n || '@crowd.example', 'User ' || n, 'active', true, 'sample', ''
       from generate_series(1, 2000) n returning id
     )
     insert into identity.team_members (tenant_id, id, team_id, user_id) select $1, gen_random_uuid(), $2, id from crowd`,
    [acme.id, last.id],
  )
  await acme.sql('analyze identity.users, identity.team_members')

  const team = await acme.manager.post('/api/teams/', { name: 'One too many' })
  const member = await acme.manager.post(`/api/teams/${last.id}/members`, { user_id: acme.member.userId })
  const { body } = await acme.manager.get(`/api/teams/${last.id}`)

  assert.deepEqual([team.status, team.body.code], [409, 'conflict'])
  assert.deepEqual([member.status, member.body.code], [409, 'conflict'])
  assert.deepEqual([body.member_count, body.members.length], [2_000, 200])
})

test('a lead leads the other members of their teams, but not the members of subteams', async () => {
  const acme = await tenant()
  const other = await tenant()
  const [lead, member, both, inSubteam] = await Promise.all(Array.from({ length: 4 }, () => acme.person('member')))
  const join = (user: typeof lead, role = 'member') => ({ user_id: user!.userId, role })
  const looms = await createTeam(acme, 'Looms', { members: [join(lead, 'lead'), join(member), join(both)] })
  await createTeam(acme, 'Engines', { members: [join(lead, 'lead'), join(both, 'lead'), join(acme.viewer)] })
  await createTeam(acme, 'Mills', { members: [join(lead), join(acme.admin)] })
  await createTeam(acme, 'Spindles', { parent_team_id: looms.id, members: [join(inSubteam)] })
  await acme.admin.patch(`/api/users/${member!.userId}`, { status: 'deactivated' })
  const inAcme = <T>(work: Parameters<typeof inTenant<T>>[2]) => inTenant(db, systemActor(acme.id), work)
  const isLead = (leadId: string, userId: string) => inAcme((tx) => isLeadOf(tx, leadId, userId))

  const led = await inAcme((tx) => listLedUserIds(tx, lead!.userId))

  assert.deepEqual(led, [member!.userId, both!.userId, acme.viewer.userId].sort())
  assert.deepEqual(await inAcme((tx) => listLedUserIds(tx, member!.userId)), [])
  assert.deepEqual(await inTenant(db, systemActor(other.id), (tx) => listLedUserIds(tx, lead!.userId)), [])
  assert.equal(await isLead(lead!.userId, member!.userId), true)
  assert.equal(await isLead(both!.userId, lead!.userId), true)
  assert.equal(await isLead(lead!.userId, lead!.userId), false)
  assert.equal(await isLead(member!.userId, lead!.userId), false)
  assert.equal(await isLead(lead!.userId, acme.admin.userId), false)
  assert.equal(await isLead(lead!.userId, inSubteam!.userId), false)
})
