import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type User = Acme['member']

const url = '/api/deleted-records'
const dayMs = 24 * 60 * 60 * 1_000

const namesOf = async (user: User, type: string, query = ''): Promise<string[]> =>
  (await user.get(`${url}/${type}${query}`)).body.items.map(({ name }: { name: string }) => name)

async function createRecord(user: User, path: string, fields: object): Promise<{ id: string; path: string }> {
  const { status, body } = await user.post(path, fields)
  assert.equal(status, 201, JSON.stringify(body))
  return { id: body.id, path: `${path}${body.id}` }
}

const createLead = (user: User, last_name: string, fields: object = {}) =>
  createRecord(user, '/api/leads/', { last_name, owner_id: user.userId, ...fields })

test('deleted leads, contacts, accounts and deals are listed with who deleted them, until they are restored', async () => {
  const { manager } = await tenant()
  const account = await createRecord(manager, '/api/accounts/', { name: 'Meridian' })
  const contact = await createRecord(manager, '/api/contacts/', {
    email: 'ada@meridian.example',
    account_id: account.id,
  })
  const deal = await createRecord(manager, '/api/opportunities/', {
    name: 'Looms',
    account_id: account.id,
    close_on: '2026-12-01',
  })
  const lead = await createLead(manager, 'Moss', { company: 'Moss Ltd', email: 'moss@moss.example' })
  for (const { path } of [deal, contact, account, lead]) assert.equal((await manager.delete(path)).status, 204)

  const [leads, deals] = [await manager.get(`${url}/lead`), await manager.get(`${url}/opportunity`)]
  const { deleted_at, ...shown } = leads.body.items[0]
  assert.deepEqual(shown, {
    id: lead.id,
    name: 'Moss',
    email: 'moss@moss.example',
    company: 'Moss Ltd',
    deleted_by: { id: manager.userId, name: manager.name },
    restorable_until: new Date(Date.parse(deleted_at) + 30 * dayMs).toISOString(),
  })
  assert.deepEqual([deals.body.items[0].name, deals.body.items[0].company], ['Looms', 'Meridian'])
  assert.deepEqual(await namesOf(manager, 'contact'), ['ada@meridian.example'])
  assert.deepEqual(await namesOf(manager, 'account'), ['Meridian'])

  for (const { path } of [account, contact, deal, lead])
    assert.equal((await manager.post(`${path}/restore`)).status, 200)
  for (const type of ['lead', 'contact', 'account', 'opportunity']) assert.deepEqual(await namesOf(manager, type), [])
})

test('managers see all deletions, other users their own, and no workspace those of another one', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const mine = await createLead(acme.member, 'Mine')
  const theirs = await createLead(acme.manager, 'Theirs')
  await acme.member.delete(mine.path)
  await acme.manager.delete(theirs.path)

  assert.deepEqual(await namesOf(acme.manager, 'lead'), ['Theirs', 'Mine'])
  assert.deepEqual(await namesOf(acme.admin, 'lead'), ['Theirs', 'Mine'])
  assert.deepEqual(await namesOf(acme.member, 'lead'), ['Mine'])
  assert.deepEqual(await namesOf(acme.viewer, 'lead'), [])
  assert.deepEqual(await namesOf(other.admin, 'lead'), [])
})

test('records that can no longer be restored and merged leads are not listed', async () => {
  const { manager, sql } = await tenant()
  const [old, kept, merged] = [
    await createLead(manager, 'Old'),
    await createLead(manager, 'Kept'),
    await createLead(manager, 'Merged'),
  ]
  await manager.post(`${kept.path}/merge`, { duplicate_ids: [merged.id] })
  await manager.delete(old.path)

  assert.deepEqual(await namesOf(manager, 'lead'), ['Old'])
  await sql(`update crm.leads set deleted_at = deleted_at - interval '30 days' where id = $1`, [old.id])
  assert.deepEqual(await namesOf(manager, 'lead'), [])
  assert.equal((await manager.post(`${old.path}/restore`)).status, 404)
})

test('the list is read in pages, the newest deletion first', async () => {
  const { manager } = await tenant()
  for (const name of ['First', 'Second', 'Third']) await manager.delete((await createLead(manager, name)).path)

  const first = (await manager.get(`${url}/lead?limit=2`)).body
  assert.deepEqual(
    first.items.map(({ name }: { name: string }) => name),
    ['Third', 'Second'],
  )
  assert.equal(first.total, 3)
  assert.deepEqual(await namesOf(manager, 'lead', `?limit=2&cursor=${first.next_cursor}`), ['First'])
})

test('a key needs the scope of the type, and other types do not exist', async () => {
  const { admin, bearer } = await tenant()
  const { body } = await admin.post('/api/api-keys', { name: 'Leads', scopes: ['leads.read'] })
  const key = bearer(`ApiKey ${body.key}`)

  assert.equal((await key.get(`${url}/lead`)).status, 200)
  for (const type of ['contact', 'account', 'opportunity'])
    assert.equal((await key.get(`${url}/${type}`)).body.code, 'scope_required', type)
  assert.equal((await admin.get(`${url}/campaign`)).status, 422)
})
