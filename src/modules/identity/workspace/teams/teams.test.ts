import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { deleteTeam } from './teams.service.ts'

const { tenant, db } = await startTestApp()

type Workspace = Awaited<ReturnType<typeof tenant>>
const createTeam = async ({ manager }: Workspace, name: string, more: object = {}) =>
  (await manager.post('/api/teams/', { name, ...more })).body
const ids = (items: { id: string }[]) => items.map(({ id }) => id)

test('identity-5-1 a team is created with its members', async () => {
  const acme = await tenant()
  const { member, viewer, manager } = acme
  const members = [{ user_id: member.userId }, { user_id: viewer.userId, role: 'lead' }]
  const about = { name: 'Engines', description: 'Builds engines', color: '#3366FF' }

  const created = await manager.post('/api/teams/', { ...about, members })
  const seen = await viewer.get(`/api/teams/${created.body.id}`)

  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `/api/teams/${created.body.id}`)
  assert.partialDeepStrictEqual(created.body, {
    ...about,
    color: '#3366ff',
    parent_team_id: null,
    parent: null,
    member_count: 2,
    leads: [{ id: viewer.userId, name: viewer.name }],
    version: 1,
  })
  assert.deepEqual(
    created.body.members.map(({ user_id, role }: { user_id: string; role: string }) => [user_id, role]),
    [
      [viewer.userId, 'lead'],
      [member.userId, 'member'],
    ],
  )
  assert.partialDeepStrictEqual(created.body.members[0].user, {
    name: viewer.name,
    email: viewer.email,
    status: 'active',
  })
  assert.deepEqual([seen.body, seen.headers.etag], [created.body, '"1"'])
  assert.deepEqual(await acme.events(), ['team.created', 'team.member_added', 'team.member_added'])
  assert.deepEqual(await acme.audit(), ['team.created', 'team.member_added', 'team.member_added'])
})

test('identity-5-2 team names are unique, ignoring upper and lower case', async () => {
  const acme = await tenant()
  const engines = await createTeam(acme, 'Engines')
  const looms = await createTeam(acme, 'Looms')

  const again = await acme.manager.post('/api/teams/', { name: 'ENGINES' })
  const renamed = await acme.manager.patch(`/api/teams/${looms.id}`, { name: 'engines' })
  const itself = await acme.manager.patch(`/api/teams/${engines.id}`, { name: 'ENGINES' })
  const both = await Promise.all([1, 2].map(() => acme.manager.post('/api/teams/', { name: 'Twins' })))

  for (const { status, body } of [again, renamed])
    assert.deepEqual([status, body.code, body.existing_id], [409, 'already_exists', engines.id])
  assert.deepEqual([itself.status, itself.body.name], [200, 'ENGINES'])
  assert.deepEqual(both.map(({ status }) => status).sort(), [201, 409])
})

test('identity-5-5 teams can be nested five levels deep and never form a cycle', async () => {
  const acme = await tenant()
  const line = [await createTeam(acme, 'Level 1')]
  for (let level = 2; level <= 5; level++)
    line.push(await createTeam(acme, `Level ${level}`, { parent_team_id: line.at(-1).id }))
  const pair = await createTeam(acme, 'Pair')
  await createTeam(acme, 'Below the pair', { parent_team_id: pair.id })
  const move = async (id: string, parent_team_id: string | null) => {
    const { status, body } = await acme.manager.patch(`/api/teams/${id}`, { parent_team_id })
    return [status, body.errors?.[0]?.code]
  }

  const sixth = await acme.manager.post('/api/teams/', { name: 'Level 6', parent_team_id: line[4].id })

  assert.deepEqual([sixth.status, sixth.body.errors[0].code], [422, 'depth'])
  assert.deepEqual(await move(line[0].id, line[1].id), [422, 'cycle'])
  assert.deepEqual(await move(line[0].id, line[4].id), [422, 'cycle'])
  assert.deepEqual(await move(line[0].id, line[0].id), [422, 'cycle'])
  assert.deepEqual(await move(pair.id, line[3].id), [422, 'depth'])
  assert.deepEqual(await move(pair.id, line[2].id), [200, undefined])
  assert.deepEqual(await move(pair.id, null), [200, undefined])
  assert.deepEqual(await move(pair.id, newId()), [422, 'unknown_reference'])
})

test('two concurrent moves of teams below each other do not create a cycle', async () => {
  const acme = await tenant()
  const [one, other] = [await createTeam(acme, 'One'), await createTeam(acme, 'Other')]

  const answers = await Promise.all([
    acme.manager.patch(`/api/teams/${one.id}`, { parent_team_id: other.id }),
    acme.manager.patch(`/api/teams/${other.id}`, { parent_team_id: one.id }),
  ])

  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 422])
})

test('identity-5-6 a team without dependents can be deleted and its members stay in the workspace', async () => {
  const acme = await tenant()
  const parent = await createTeam(acme, 'Parent', { members: [{ user_id: acme.member.userId }] })
  const child = await createTeam(acme, 'Child', { parent_team_id: parent.id })
  const url = `/api/teams/${parent.id}`

  const tooEarly = await acme.manager.delete(url)
  await acme.manager.patch(`/api/teams/${child.id}`, { parent_team_id: null })
  const stale = await acme.manager.delete(url, { 'if-match': '"7"' })
  const deleted = await acme.manager.delete(url)

  assert.deepEqual([tooEarly.status, tooEarly.body.code], [409, 'conflict'])
  assert.deepEqual(tooEarly.body.dependents, [{ type: 'team', id: child.id, name: 'Child' }])
  assert.equal(stale.status, 412)
  assert.deepEqual([deleted.status, deleted.text], [204, ''])
  assert.equal((await acme.manager.get(url)).status, 404)
  assert.equal((await acme.manager.delete(url)).status, 404)
  const { rows } = await acme.sql('select id from identity.team_members where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [])
  assert.deepEqual((await acme.viewer.get(`/api/users/${acme.member.userId}`)).body.teams, [])
  assert.equal((await acme.events()).at(-1), 'team.deleted')
  assert.equal((await acme.audit()).at(-1), 'team.deleted')
})

test('a record of another module that requires the team blocks its deletion', async () => {
  const acme = await tenant()
  const team = await createTeam(acme, 'Engines')
  const rule = { type: 'routing_rule', id: newId(), name: 'New leads to engines' }
  const deleteWithDependent = () =>
    inTenant(db, systemActor(acme.id), (tx) => deleteTeam(tx, team.id, { dependents: [async () => [rule]] }))

  await assert.rejects(deleteWithDependent, { status: 409, code: 'conflict', extra: { dependents: [rule] } })

  assert.equal((await acme.viewer.get(`/api/teams/${team.id}`)).status, 200)
})

test('identity-5-7 members and viewers cannot create teams', async () => {
  const acme = await tenant()
  const team = await createTeam(acme, 'Engines')
  const member = { user_id: acme.member.userId }

  const answers = [
    await acme.member.post('/api/teams/', { name: 'Mine' }),
    await acme.viewer.patch(`/api/teams/${team.id}`, { name: 'Mine' }),
    await acme.member.post(`/api/teams/${team.id}/members`, member),
    await acme.member.delete(`/api/teams/${team.id}`),
    await acme.member.delete(`/api/teams/${team.id}/members/${acme.member.userId}`),
  ]

  assert.deepEqual(
    answers.map(({ status, body }) => [status, body.required_scope]),
    [
      [403, 'teams.write'],
      [403, 'teams.write'],
      [403, 'teams.write'],
      [403, 'teams.delete'],
      [403, 'teams.delete'],
    ],
  )
  assert.equal((await acme.anonymous.get('/api/teams/')).status, 401)
})

test('identity-5-8 teams and users of another workspace are not found', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const [own, foreign] = [
    await createTeam(acme, 'Own'),
    await createTeam(other, 'Foreign', { members: [{ user_id: other.member.userId }] }),
  ]
  const stranger = { user_id: other.member.userId }

  const unknown = [
    await acme.manager.get(`/api/teams/${foreign.id}`),
    await acme.manager.patch(`/api/teams/${foreign.id}`, { name: 'Mine' }),
    await acme.manager.delete(`/api/teams/${foreign.id}`),
    await acme.manager.get(`/api/teams/${foreign.id}/members`),
    await acme.manager.post(`/api/teams/${foreign.id}/members`, { user_id: acme.member.userId }),
    await acme.manager.patch(`/api/teams/${foreign.id}/members/${other.member.userId}?role=lead`),
    await acme.manager.delete(`/api/teams/${foreign.id}/members/${other.member.userId}`),
    await acme.manager.delete(`/api/teams/${own.id}/members/${foreign.members[0].id}`),
  ]
  const named = [
    await acme.manager.post(`/api/teams/${own.id}/members`, stranger),
    await acme.manager.post('/api/teams/', { name: 'New', members: [stranger] }),
    await acme.manager.post('/api/teams/', { name: 'New', parent_team_id: foreign.id }),
    await acme.manager.patch(`/api/teams/${own.id}`, { parent_team_id: foreign.id }),
  ]

  for (const { status, body } of unknown) assert.deepEqual([status, body.code], [404, 'not_found'])
  for (const { status, body } of named) assert.deepEqual([status, body.code], [422, 'unknown_reference'])
  assert.equal(named[0]!.body.errors[0].path, '/user_id')
  assert.equal(named[1]!.body.errors[0].path, '/members/0/user_id')
  assert.deepEqual(ids((await acme.manager.get('/api/teams/')).body.items), [own.id])
  assert.deepEqual((await acme.manager.get(`/api/teams/?user_id=${other.member.userId}`)).body.items, [])
  assert.equal((await other.manager.get(`/api/teams/${foreign.id}`)).body.member_count, 1)
})

test('identity-5-10 a workspace without teams returns an empty list', async () => {
  const { viewer } = await tenant()

  const { status, body } = await viewer.get('/api/teams/')

  assert.equal(status, 200)
  assert.deepEqual(body, { items: [], total: 0, total_relation: 'eq', limit: 50, offset: 0, next_cursor: null })
})

test('teams are listed by name in pages and filtered by search, member and parent', async () => {
  const acme = await tenant()
  const north = await createTeam(acme, 'North', { description: 'Zürich and beyond' })
  const alps = await createTeam(acme, 'alps', {
    parent_team_id: north.id,
    members: [{ user_id: acme.viewer.userId, role: 'lead' }],
  })
  const sea = await createTeam(acme, 'Sea 100%')
  const found = async (query: string) => ids((await acme.member.get(`/api/teams/?${query}`)).body.items)

  const first = await acme.member.get('/api/teams/?limit=2')
  const second = await acme.member.get(`/api/teams/?limit=2&cursor=${first.body.next_cursor}`)

  assert.deepEqual([...ids(first.body.items), ...ids(second.body.items)], [alps.id, north.id, sea.id])
  assert.deepEqual([first.body.total, second.body.total, second.body.next_cursor], [3, null, null])
  assert.partialDeepStrictEqual(first.body.items[0], {
    parent: { id: north.id, name: 'North' },
    member_count: 1,
    leads: [{ id: acme.viewer.userId, name: acme.viewer.name }],
  })
  assert.equal('members' in first.body.items[0], false)
  assert.deepEqual(await found('search=ZURICH%20north'), [north.id])
  assert.deepEqual(await found('search=100%25'), [sea.id])
  assert.deepEqual(await found('search=s_a'), [])
  assert.deepEqual(await found(`user_id=${acme.viewer.userId}`), [alps.id])
  assert.deepEqual(await found(`parent_team_id=${north.id}`), [alps.id])
})

test('an update with an outdated version is rejected and one without changes has no effect', async () => {
  const acme = await tenant()
  const team = await createTeam(acme, 'Engines')
  const url = `/api/teams/${team.id}`

  const first = await acme.manager.patch(url, { description: 'Builds' }, { 'if-match': '"1"' })
  const late = await acme.manager.patch(url, { description: 'Late' }, { 'if-match': '"1"' })
  const same = await acme.manager.patch(url, { description: 'Builds', name: 'Engines' })
  const cleared = await acme.manager.patch(url, { description: null })

  assert.deepEqual([first.headers.etag, late.status, late.body.code], ['"2"', 412, 'version_mismatch'])
  assert.deepEqual([same.body.version, cleared.body.version, cleared.body.description], [2, 3, null])
  assert.deepEqual((await acme.events()).slice(1), ['team.updated', 'team.updated'])
})

test('invalid team fields are rejected with their paths', async () => {
  const acme = await tenant()
  const twice = [{ user_id: acme.member.userId }, { user_id: acme.member.userId, role: 'lead' }]
  const refusal = async (change: object) => {
    const { status, body } = await acme.manager.post('/api/teams/', { name: 'Engines', ...change })
    return [status, body.errors?.[0]?.path]
  }

  assert.deepEqual(await refusal({ name: ' ' }), [422, '/name'])
  assert.deepEqual(await refusal({ name: 'x'.repeat(81) }), [422, '/name'])
  assert.deepEqual(await refusal({ color: 'red' }), [422, '/color'])
  assert.deepEqual(await refusal({ members: twice }), [422, '/members/1/user_id'])
  assert.deepEqual(await refusal({ owner_id: acme.member.userId }), [422, '/owner_id'])
  assert.equal((await acme.manager.get('/api/teams/abc')).status, 422)
  assert.equal((await acme.manager.get('/api/teams/')).body.total, 0)
})
