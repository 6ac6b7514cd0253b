import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
const ada = { email: 'Ada@engines.example', name: 'Ada Lovelace' }
const withoutInvite = { ...ada, send_invite: false }

test('identity-4-1 a user created without an invitation gets a temporary password that is shown once and must be changed', async () => {
  const { admin, anonymous } = await tenant()

  const created = await admin.post('/api/users/', withoutInvite)
  const { temporary_password } = created.body
  const signedIn = await anonymous.post('/api/auth/login', { email: ada.email, password: temporary_password })
  const again = await admin.get(`/api/users/${created.body.id}`)

  assert.equal(created.status, 201)
  assert.equal(created.headers.location, `/api/users/${created.body.id}`)
  assert.equal(temporary_password.length, 20)
  assert.partialDeepStrictEqual(created.body, {
    ...ada,
    role: 'member',
    status: 'active',
    forecast_participant: true,
    auth_methods: ['password'],
    must_change_password: true,
    invite: null,
    teams: [],
    version: 1,
  })
  assert.equal(signedIn.body.must_change_password, true)
  assert.equal(again.status, 200)
  assert.doesNotMatch(again.text, new RegExp(temporary_password))
})

test('identity-4-2 a replayed request creates no second user and does not show the password again', async () => {
  const acme = await tenant()
  const key = { 'idempotency-key': 'add-ada' }

  const first = await acme.admin.post('/api/users/', withoutInvite, key)
  const replay = await acme.admin.post('/api/users/', withoutInvite, key)
  const other = await acme.admin.post('/api/users/', { ...withoutInvite, name: 'Grace Hopper' }, key)

  assert.deepEqual([first.status, replay.status, other.status], [201, 201, 422])
  assert.equal(replay.headers['idempotency-replayed'], 'true')
  assert.deepEqual(replay.body, { ...first.body, temporary_password: null })
  const { rows } = await acme.sql(
    'select body::text as responses from platform.idempotency_keys where tenant_id = $1',
    [acme.id],
  )
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(first.body.temporary_password))
})

test('identity-4-3 an email address is unique regardless of case', async () => {
  const acme = await tenant()
  const { body: first } = await acme.admin.post('/api/users/', ada)

  const second = await acme.admin.post('/api/users/', { ...ada, email: 'ada@ENGINES.example' })
  const elsewhere = await (await tenant()).admin.post('/api/users/', ada)

  assert.equal(second.status, 409)
  assert.partialDeepStrictEqual(second.body, { code: 'already_exists', existing_id: first.id })
  assert.equal(elsewhere.status, 201)
})

test('one of two concurrent creates of the same user succeeds', async () => {
  const acme = await tenant()

  const responses = await Promise.all([acme.admin.post('/api/users/', ada), acme.admin.post('/api/users/', ada)])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [201, 409])
  const { existing_id } = responses.find(({ status }) => status === 409)!.body
  assert.equal(existing_id, responses.find(({ status }) => status === 201)!.body.id)
})

test('identity-4-4 only admins manage users; every user can update their own profile', async () => {
  const { manager, member } = await tenant()

  const added = await manager.post('/api/users/', ada)
  const changed = await member.patch(`/api/users/${member.userId}`, { title: 'Countess' })
  const own = await member.patch('/api/auth/profile', { title: 'Countess' })
  const user = await member.get(`/api/users/${member.userId}`)

  assert.equal(added.status, 403)
  assert.partialDeepStrictEqual(added.body, { code: 'scope_required', required_scope: 'users.write' })
  assert.equal(changed.status, 403)
  assert.equal(own.status, 200)
  assert.equal(user.body.title, 'Countess')
})

test('an invited user gets an email and is not active yet', async () => {
  const acme = await tenant()

  const { status, body } = await acme.admin.post('/api/users/', ada)

  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, { status: 'invited', temporary_password: null, auth_methods: [] })
  assert.equal(body.invite.sent_to, ada.email)
  const days = (Date.parse(body.invite.expires_at) - Date.now()) / 86_400_000
  assert.ok(days > 6.9 && days <= 7)
  assert.deepEqual(await acme.jobs(), ['identity.send_invite'])
  assert.deepEqual(await acme.events(), ['user.created', 'user.invited'])
  assert.deepEqual(await acme.audit(), ['user.created', 'user.invited'])
})

test('a user can be created with all fields', async () => {
  const acme = await tenant()
  const { body: team } = await acme.admin.post('/api/teams/', { name: 'Engines' })
  const fields = {
    ...ada,
    role: 'viewer',
    title: 'Countess',
    phone: '+44 20 7946 0000',
    timezone: 'Europe/London',
    locale: 'en-GB',
    manager_id: acme.manager.userId,
    forecast_participant: true,
    quarterly_quota: { amount: '1250.5', currency: 'EUR' },
  }

  const { status, body } = await acme.admin.post('/api/users/', { ...fields, team_ids: [team.id] })

  assert.equal(status, 201)
  assert.partialDeepStrictEqual(body, {
    ...fields,
    quarterly_quota: { amount: '1250.50', currency: 'EUR' },
    manager: { id: acme.manager.userId, name: acme.manager.name },
    teams: [{ id: team.id, name: 'Engines', role: 'member' }],
  })
})

test('invalid fields of a new user are rejected', async () => {
  const { admin } = await tenant()
  const rejection = async (change: object) => {
    const { status, body } = await admin.post('/api/users/', { ...ada, ...change })
    return [status, body.errors?.[0]?.path, body.errors?.[0]?.code]
  }
  const quota = (amount: string, currency = 'EUR') => ({ quarterly_quota: { amount, currency } })

  assert.deepEqual(await rejection({ timezone: 'Mars/Olympus' }), [422, '/timezone', 'timezone'])
  assert.deepEqual(await rejection({ timezone: '+01:00' }), [422, '/timezone', 'timezone'])
  assert.deepEqual(await rejection({ locale: 'en_GB!' }), [422, '/locale', 'locale'])
  assert.deepEqual(await rejection(quota('1.005')), [422, '/quarterly_quota/amount', 'digits'])
  assert.deepEqual(await rejection(quota('1', 'USD')), [422, '/quarterly_quota/currency', 'currency'])
  assert.deepEqual(await rejection(quota('-1')), [422, '/quarterly_quota/amount', 'minimum'])
  assert.deepEqual(await rejection({ quarterly_quota: { amount: 1, currency: 'EUR' } }), [
    422,
    '/quarterly_quota/amount',
    'type',
  ])
  assert.deepEqual(await rejection({ team_ids: [newId()] }), [422, '/team_ids/0', 'unknown_reference'])
  assert.deepEqual(await rejection({ password: 'chosen by an admin' }), [422, '/password', 'additionalProperties'])
  assert.deepEqual(await rejection({ name: ' ' }), [422, '/name', 'minLength'])
  assert.deepEqual(await rejection({ status: 'active' }), [422, '/status', 'additionalProperties'])
  assert.equal((await admin.get('/api/users/?search=lovelace')).body.length, 0)
})

test('identity-4-9 users of another workspace are not found, and reporting cycles are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const foreignUserId = other.member.userId
  const [{ userId: a }, { userId: b }] = [await acme.person('member'), await acme.person('member')]

  const responses = [
    await acme.admin.get(`/api/users/${foreignUserId}`),
    await acme.admin.patch(`/api/users/${foreignUserId}`, { name: 'Mine' }),
    await acme.admin.post(`/api/users/${foreignUserId}/reset-password`),
    await acme.admin.get(`/api/users/${foreignUserId}/profile`),
    await acme.admin.get(`/api/users/${foreignUserId}/login-history`),
    await acme.admin.delete(`/api/users/${foreignUserId}`),
    await acme.admin.delete(`/api/users/${foreignUserId}/sessions`),
    await acme.admin.post(`/api/users/${foreignUserId}/resend-invite`),
  ]
  const malformed = await acme.admin.get('/api/users/abc')
  const foreignManager = await acme.admin.patch(`/api/users/${a}`, { manager_id: foreignUserId })
  const bUnderA = await acme.admin.patch(`/api/users/${b}`, { manager_id: a })
  const aUnderB = await acme.admin.patch(`/api/users/${a}`, { manager_id: b })
  const aUnderA = await acme.admin.patch(`/api/users/${a}`, { manager_id: a })

  for (const { status, body } of responses) assert.deepEqual([status, body.code], [404, 'not_found'])
  assert.equal(malformed.status, 422)
  assert.deepEqual([foreignManager.status, foreignManager.body.code], [422, 'unknown_reference'])
  assert.equal(bUnderA.status, 200)
  assert.deepEqual([aUnderB.status, aUnderB.body.errors[0].code], [422, 'cycle'])
  assert.equal(aUnderA.body.errors[0].code, 'cycle')
  assert.equal((await acme.admin.get(`/api/users/?team_id=${newId()}`)).text, '[]')
  assert.equal((await other.admin.get(`/api/users/${foreignUserId}`)).body.name, other.member.name)
})

test('two concurrent manager changes cannot create a cycle', async () => {
  const acme = await tenant()
  const [{ userId: a }, { userId: b }] = [await acme.person('member'), await acme.person('member')]

  const responses = await Promise.all([
    acme.admin.patch(`/api/users/${a}`, { manager_id: b }),
    acme.admin.patch(`/api/users/${b}`, { manager_id: a }),
  ])

  assert.deepEqual(responses.map(({ status }) => status).sort(), [200, 422])
})

test('identity-4-13 an update with an old version is rejected', async () => {
  const acme = await tenant()
  const url = `/api/users/${acme.member.userId}`
  const { headers } = await acme.admin.get(url)

  const first = await acme.admin.patch(url, { title: 'First' }, { 'if-match': headers.etag })
  const late = await acme.admin.patch(url, { title: 'Late' }, { 'if-match': headers.etag })
  const same = await acme.admin.patch(url, { title: 'First' })

  assert.deepEqual([first.status, first.headers.etag], [200, '"2"'])
  assert.deepEqual([late.status, late.body.code], [412, 'version_mismatch'])
  assert.equal(same.body.version, 2)
  assert.deepEqual(await acme.events(), ['user.updated'])
  assert.deepEqual(await acme.audit(), ['user.updated'])
})

test('private fields are visible to the user and to admins only', async () => {
  const { admin, member, viewer } = await tenant()
  const url = `/api/users/${member.userId}`
  const privateFieldsFor = async (caller: typeof viewer) => {
    const { body } = await caller.get(url)
    return [body.must_change_password, body.auth_methods, body.email_verified_at !== null]
  }

  assert.deepEqual(await privateFieldsFor(viewer), [null, null, false])
  assert.deepEqual(await privateFieldsFor(member as never), [false, ['password'], true])
  assert.deepEqual(await privateFieldsFor(admin as never), [false, ['password'], true])
  const listed = (await viewer.get('/api/users/')).body as { id: string; auth_methods: unknown }[]
  assert.deepEqual(
    listed.filter(({ auth_methods }) => auth_methods !== null).map(({ id }) => id),
    [viewer.userId],
  )
})

test('users are listed by name, and pages are contiguous', async () => {
  const acme = await tenant()
  for (const name of ['bob', 'Álvaro', 'alice', 'Bob', 'carol']) await acme.person('member', { name })

  const first = await acme.viewer.get('/api/users/?limit=4&role=member')
  const next = /<([^>]+)>; rel="next"/.exec(first.headers.link)![1]!
  const second = await acme.viewer.get(next)
  const skipped = await acme.viewer.get('/api/users/?limit=4&offset=4&role=member')

  const names = (response: typeof first) => response.body.map(({ name }: { name: string }) => name.toLowerCase())
  assert.equal(first.headers['x-total-count'], '6')
  assert.deepEqual(names(first).slice(0, 4), ['alice', 'bob', 'bob', 'carol'])
  assert.deepEqual(names(second), names(skipped))
  assert.equal(new Set([...first.body, ...second.body].map(({ id }: { id: string }) => id)).size, 6)
  assert.equal(second.headers['x-total-count'], undefined)
})

test('users are found by words of their name and email, by role, status, team and manager', async () => {
  const acme = await tenant()
  const { body: zoe } = await acme.admin.post('/api/users/', {
    email: 'zoe_100%@navy.example',
    name: 'Zoë Hopper',
    role: 'viewer',
    manager_id: acme.manager.userId,
  })
  const { body: team } = await acme.admin.post('/api/teams/', { name: 'Navy', members: [{ user_id: zoe.id }] })
  const found = async (query: string) =>
    (await acme.member.get(`/api/users/?${query}`)).body.map(({ id }: { id: string }) => id)
  const search = (words: string) => found(`search=${encodeURIComponent(words)}`)

  for (const words of ['ZOE', 'hopper navy', 'Zoë', '_100%', 'opp'])
    assert.deepEqual(await search(words), [zoe.id], words)
  for (const words of ['zoe lovelace', 'h_pper', 'unknown']) assert.deepEqual(await search(words), [], words)
  assert.deepEqual(await found(`team_id=${team.id}`), [zoe.id])
  assert.deepEqual(await found(`manager_id=${acme.manager.userId}`), [zoe.id])
  assert.deepEqual(await found('status=invited'), [zoe.id])
  assert.deepEqual(
    await found('role=admin,manager'),
    (await found('')).filter((id: string) => [acme.admin.userId, acme.manager.userId].includes(id)),
  )
  assert.deepEqual(await found('role=viewer&status=active'), [acme.viewer.userId])
  assert.equal((await acme.member.get('/api/users/?role=boss')).status, 422)
  assert.equal((await acme.member.get('/api/users/?sort=email')).status, 422)
  assert.equal((await acme.member.get('/api/users/?cursor=nonsense')).status, 422)
})

test('a search does not find users of another workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  await acme.admin.post('/api/users/', { ...ada, name: 'Unmistakable Ada' })

  const found = await other.admin.get('/api/users/?search=unmistakable')

  assert.equal(found.text, '[]')
})

test('the path without a trailing slash returns the same response', async () => {
  const { admin } = await tenant()

  const [slash, bare] = [await admin.get('/api/users/'), await admin.get('/api/users')]

  assert.equal(slash.status, 200)
  assert.deepEqual(bare.body, slash.body)
})
