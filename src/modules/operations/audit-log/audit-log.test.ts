import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { systemActor } from '#platform/access'
import { inTenant } from '#platform/db'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { sealAllEntries } from '../../../platform/audit/seal-all-entries.fixture.ts'
import { createIntegrityRunner } from '../integrity/integrity.fixture.ts'

const app = await startTestApp()
const url = '/api/admin/audit-log'
type Change = { field: string; before: unknown; after: unknown }
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

test('identity-10-2 creating, updating and deleting a lead gives three entries with the values before and after', async () => {
  const acme = await app.tenant()
  const { admin } = acme
  const other = (await admin.post('/api/leads/', { last_name: 'Reed' })).body
  const lead = (await admin.post('/api/leads/', { last_name: 'Moss', title: 'Clerk' })).body
  await admin.patch(`/api/leads/${lead.id}`, { title: 'Chief Clerk' })
  await admin.delete(`/api/leads/${lead.id}`)
  const grant = { name: 'Sync', scopes: ['leads.read', 'leads.write'] }
  const { key, id: keyId } = (await admin.post('/api/api-keys', grant)).body
  await acme.bearer(`ApiKey ${key}`).patch(`/api/leads/${other.id}`, { title: 'Reader' })

  const entries = await admin.get(`${url}?resource_id=${lead.id}`)
  const byKey = await admin.get(`${url}?actor_type=api_key`)

  assert.deepEqual(actionsIn(entries), ['lead.deleted', 'lead.updated', 'lead.created'])
  const [deleted, updated, created] = entries.body.items
  const changeOf = (entry: { changes: Change[] }, name: string) => entry.changes.find(({ field }) => field === name)
  assert.deepEqual(changeOf(created, 'last_name'), { field: 'last_name', before: null, after: 'Moss' })
  assert.deepEqual(updated.changes, [{ field: 'title', before: 'Clerk', after: 'Chief Clerk' }])
  assert.deepEqual(changeOf(deleted, 'last_name'), { field: 'last_name', before: 'Moss', after: null })
  for (const entry of entries.body.items)
    assert.partialDeepStrictEqual(entry, { actor_type: 'user', user_id: admin.userId, resource_label: 'Moss' })
  assert.deepEqual(actionsIn(byKey), ['lead.updated'])
  assert.partialDeepStrictEqual(byKey.body.items[0], { resource_id: other.id, api_key_id: keyId })
})

test('identity-10-3 the application cannot change an entry, and a change by a superuser is reported', async () => {
  const acme = await app.tenant()
  const { id } = (await acme.manager.post('/api/teams/', { name: 'Support' })).body
  await sealAllEntries(app.systemDb, app.owner)
  const { find } = createIntegrityRunner(app.services)
  const findMismatch = () => find(acme.id, 'audit_chain')

  const denied = inTenant(app.db, systemActor(acme.id), (tx) =>
    sql`update platform.audit_log set reason = 'x' where resource_id = ${id}`.execute(tx),
  )
  await assert.rejects(denied, { code: '42501', message: /permission denied/ })
  const before = await findMismatch()
  await acme.sql(`update platform.audit_log set user_id = $1 where resource_id = $2`, [acme.admin.userId, id])
  const after = await findMismatch()

  const { rows: seals } = await acme.sql('select id from platform.audit_seals where tenant_id = $1', [acme.id])
  assert.deepEqual([before, after], [[], seals.map((seal) => seal.id)])
  assert.equal(seals.length, 1)
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
