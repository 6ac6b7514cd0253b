import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'

const app = await startTestApp()
const url = '/api/admin/audit-log'
type Entry = { id: string; action: string; resource_id: string | null }

const actionsIn = ({ body }: { body: { items: Entry[] } }) => body.items.map(({ action }) => action)

test('identity-7-12 reads and writes during an impersonation are listed with both names', async () => {
  const acme = await app.tenant()
  const { admin, manager } = acme
  const reason = 'They called for help.'
  const { body } = await admin.post(`/api/users/${manager.userId}/impersonate`, { reason })
  const impersonated = acme.bearer(`Bearer ${body.access_token}`)
  await impersonated.get('/api/teams/')
  await impersonated.post('/api/teams/', { name: 'Support' })
  await manager.post('/api/teams/', { name: 'Sales' })
  await sleep(1_000)

  const response = await admin.get(`${url}?actor_type=impersonation`)

  assert.equal(response.status, 200)
  assert.deepEqual(actionsIn(response).sort(), ['impersonation.request', 'impersonation.request', 'team.created'])
  for (const entry of response.body.items)
    assert.partialDeepStrictEqual(entry, {
      user: { id: manager.userId, name: manager.name },
      actor: { id: admin.userId, name: admin.name },
      session_id: body.session_id,
      sealed: false,
    })
  const read = response.body.items.find(
    (entry: { resource_label: string }) => entry.resource_label === 'GET /api/teams/',
  )
  assert.deepEqual(
    read.changes.map(({ field, after }: { field: string; after: unknown }) => [field, after]),
    [
      ['method', 'GET'],
      ['route', '/api/teams/'],
      ['status', 200],
    ],
  )
})

test('entries are filtered by record, type, user, action and time, and filters are combined with AND', async () => {
  const acme = await app.tenant()
  const { admin, manager } = acme
  const before = new Date()
  const team = (await manager.post('/api/teams/', { name: 'Support' })).body
  await admin.patch(`/api/teams/${team.id}`, { name: 'Help' })
  await admin.patch(`/api/users/${acme.viewer.userId}`, { title: 'Guest' })
  const list = async (query: string) => actionsIn(await admin.get(`${url}?${query}`))

  assert.deepEqual(await list(`resource_id=${team.id}`), ['team.updated', 'team.created'])
  assert.deepEqual(await list('resource_type=user'), ['user.updated'])
  assert.deepEqual(await list('action=team.'), ['team.updated', 'team.created'])
  assert.deepEqual(await list('action=team.created'), ['team.created'])
  assert.deepEqual(await list(`user_id=${admin.userId}`), ['user.updated', 'team.updated'])
  assert.deepEqual(await list(`user_id=${admin.userId}&action=team.`), ['team.updated'])
  assert.deepEqual(await list('actor_type=api_key'), [])
  assert.deepEqual(await list(`to=${before.toISOString()}`), [])
  assert.equal((await list(`from=${before.toISOString()}`)).length, 3)
  assert.deepEqual(await list('to=1969-12-31T23:59:59Z'), [])
  assert.equal((await list('from=1900-01-01T00:00:00Z&to=2199-12-31T23:59:59Z')).length, 3)
  assert.deepEqual(await list(`resource_id=${newId()}`), [])
})

test('an entry lists the changed fields', async () => {
  const acme = await app.tenant()
  const team = (await acme.manager.post('/api/teams/', { name: 'Support' })).body
  await acme.manager.patch(`/api/teams/${team.id}`, { name: 'Help' })

  const { body } = await acme.admin.get(`${url}?action=team.updated`)

  assert.deepEqual(body.items[0].changes, [{ field: 'name', before: 'Support', after: 'Help' }])
  assert.equal(body.items[0].request_id.length > 0, true)
})

test('pages by offset and by cursor have no gaps, with and without a user filter', async () => {
  const acme = await app.tenant()
  const { manager } = acme
  for (let n = 1; n <= 7; n++) await manager.post('/api/teams/', { name: `Team ${n}` })
  for (const filter of ['', `&user_id=${manager.userId}`]) {
    const all = (await acme.admin.get(`${url}?limit=50${filter}`)).body
    const seen: string[] = []
    let cursor = ''
    for (let pages = 0; pages < 10; pages++) {
      const { body } = await acme.admin.get(`${url}?limit=3${filter}${cursor && `&cursor=${cursor}`}`)
      seen.push(...body.items.map(({ id }: Entry) => id))
      cursor = body.next_cursor
      if (!cursor) break
    }
    const third = (await acme.admin.get(`${url}?limit=3&offset=3${filter}`)).body

    assert.equal(all.total, 7)
    assert.deepEqual(
      seen,
      all.items.map(({ id }: Entry) => id),
    )
    assert.deepEqual(
      third.items.map(({ id }: Entry) => id),
      seen.slice(3, 6),
    )
  }
})

test('only admins can read the audit log of their own workspace, and invalid filters are rejected', async () => {
  const [acme, beta] = [await app.tenant(), await app.tenant()]
  await beta.manager.post('/api/teams/', { name: 'Secret' })

  const own = await acme.admin.get(`${url}?user_id=${beta.manager.userId}`)

  assert.deepEqual([own.status, own.body.items], [200, []])
  assert.deepEqual((await acme.admin.get(url)).body.items, [])
  for (const user of [acme.manager, acme.member, acme.viewer])
    assert.equal((await user.get(url)).body.required_scope, 'admin.read')
  assert.equal((await acme.anonymous.get(url)).status, 401)
  const wrong = [
    'offset=10001',
    'action=lead',
    'resource_id=1',
    'actor_type=robot',
    'from=now',
    'to=2016-12-31T23:59:60Z',
    'cursor=x',
    'what=1',
  ]
  for (const query of wrong) assert.equal((await acme.admin.get(`${url}?${query}`)).status, 422, query)
})
