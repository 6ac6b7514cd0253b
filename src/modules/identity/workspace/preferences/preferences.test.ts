import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { impersonate } from '../../sign-in/impersonation/impersonation.fixture.ts'

const { tenant } = await startTestApp()

const url = '/api/auth/preferences'
const empty = { focus: null, pinned: [], collapsed: [], lists: {}, version: 0 }
const views = [{ name: 'New ones', search: 'status=new' }]
const preferences = {
  focus: 'market',
  pinned: ['/segments Segments', '/campaigns/4711 Spring'],
  collapsed: ['sell'],
  lists: { leads: { columns: ['name', 'status'], views } },
}

test('preferences are empty until a user replaces them, and the user has all but the lists', async () => {
  const { viewer } = await tenant()

  const before = await viewer.get(url)
  const replaced = await viewer.put(url, preferences)
  const again = await viewer.put(url, { ...preferences, focus: null, pinned: [] })

  assert.deepEqual([before.body, before.headers.etag], [empty, '"0"'])
  assert.deepEqual(
    [replaced.status, replaced.body, replaced.headers.etag],
    [200, { ...preferences, version: 1 }, '"1"'],
  )
  assert.deepEqual((await viewer.get(url)).body, again.body)
  const { body: me } = await viewer.get('/api/auth/me')
  assert.deepEqual(me.preferences, { focus: null, pinned: [], collapsed: ['sell'], version: 2 })
})

test('preferences belong to one user of one workspace', async () => {
  const [acme, other] = [await tenant(), await tenant()]

  await acme.member.put(url, preferences)

  for (const user of [acme.admin, acme.viewer, other.member, other.admin])
    assert.deepEqual((await user.get(url)).body, empty)
  assert.equal((await acme.admin.get('/api/auth/me')).body.preferences.focus, null)
})

test('API keys and impersonating admins have no access to preferences', async () => {
  const acme = await tenant()
  await acme.member.put(url, preferences)
  const { body: key } = await acme.member.post('/api/api-keys', { name: 'Sync', scopes: ['users.read'] })
  const sync = acme.bearer(`ApiKey ${key.key}`)
  const actingAdmin = await impersonate(acme, acme.member)

  const codes = []
  for (const caller of [acme.anonymous, sync, actingAdmin])
    for (const { status, body } of [await caller.get(url), await caller.put(url, preferences)])
      codes.push([status, body.code])

  assert.deepEqual(codes, [
    [401, 'authentication_required'],
    [401, 'authentication_required'],
    [403, 'session_required'],
    [403, 'session_required'],
    [403, 'impersonation_not_allowed'],
    [403, 'impersonation_not_allowed'],
  ])
  assert.equal((await sync.get('/api/auth/me')).body.preferences, null)
  assert.equal((await actingAdmin.get('/api/auth/me')).body.preferences.focus, 'market')
})

test('preferences are bounded', async () => {
  const { member } = await tenant()
  const leads = preferences.lists.leads
  const lists = (changes: object) => ({ lists: { leads: { ...leads, ...changes } } })
  const numbers = (count: number) => Array.from({ length: count }, (_, index) => `${index}`)
  const cases: [object, string][] = [
    [{ focus: 'rest' }, '/focus'],
    [{ pinned: numbers(13) }, '/pinned'],
    [{ pinned: ['/a A', '/a A'] }, '/pinned'],
    [{ pinned: ['x'.repeat(401)] }, '/pinned/0'],
    [{ collapsed: numbers(13) }, '/collapsed'],
    [{ collapsed: ['x'.repeat(41)] }, '/collapsed/0'],
    [{ lists: { 'no list': leads } }, '/lists'],
    [
      { lists: Object.fromEntries(numbers(21).map((number) => [`list_${'x'.repeat(Number(number))}`, leads])) },
      '/lists',
    ],
    [lists({ columns: numbers(61) }), '/lists/leads/columns'],
    [lists({ views: numbers(21).map((name) => ({ name, search: '' })) }), '/lists/leads/views'],
    [lists({ views: [{ name: 'x'.repeat(81), search: '' }] }), '/lists/leads/views/0/name'],
    [lists({ views: [{ name: 'Long', search: 'x'.repeat(2_001) }] }), '/lists/leads/views/0/search'],
  ]

  for (const [changes, path] of cases) {
    const { status, body } = await member.put(url, { ...preferences, ...changes })
    assert.deepEqual(
      [status, body.errors?.[0]?.path?.startsWith(path)],
      [422, true],
      `${path}: ${JSON.stringify(body)}`,
    )
  }
  const long = numbers(9).map((name) => ({ name, search: 'x'.repeat(2_000) }))
  assert.equal((await member.put(url, { ...preferences, ...lists({ views: long }) })).status, 413)
  const { lists: _, ...incomplete } = preferences
  assert.equal((await member.put(url, incomplete)).status, 422)
  assert.deepEqual((await member.get(url)).body, empty)
})

test('preferences that another tab has replaced are not overwritten', async () => {
  const { member } = await tenant()
  const put = (version: string) => member.put(url, preferences, { 'if-match': version })

  const first = await Promise.all([put('"0"'), put('"0"')])
  const late = await put('"0"')
  const current = await put('"1"')

  assert.deepEqual(first.map(({ status }) => status).sort(), [200, 412])
  assert.deepEqual([late.status, late.body.code], [412, 'version_mismatch'])
  assert.deepEqual([current.status, current.body.version], [200, 2])
})

test('preferences are erased with their user', async () => {
  const acme = await tenant()
  const user = await acme.person('member')
  await user.put(url, { ...preferences, pinned: ['/leads Unmistakable'] })
  await acme.admin.patch(`/api/users/${user.userId}`, { status: 'deactivated' })

  await acme.admin.delete(`/api/users/${user.userId}`)

  const { rows } = await acme.sql('select 1 from identity.user_preferences where tenant_id = $1', [acme.id])
  assert.deepEqual(rows, [])
})
