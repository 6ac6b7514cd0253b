import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp, waitForTask } from '#testing'
import { everything, memberIds, newLead, newSegment, type Workspace } from '../segments/segments.fixture.ts'

const { tenant, startTestWorker } = await startTestApp()
await startTestWorker()
const url = '/api/segments'
const change = (acme: Workspace, id: string, body: object) => acme.member.post(`${url}/${id}/members`, body)
const german = { field: 'country', op: 'eq', value: 'DE' }

test('crm-7-9 members of a static segment are added and removed; a second add and other rules change nothing', async () => {
  const acme = await tenant()
  const [first, second, third] = [
    await newLead(acme, {}),
    await newLead(acme, {}),
    await newLead(acme, { country: 'DE' }),
  ]
  const segment = await newSegment(acme, { kind: 'static', record_ids: [first] })

  const added = await change(acme, segment.id, { add: [first, second, second], remove: [third] })
  const rules = await acme.member.patch(`${url}/${segment.id}`, { rules: german })
  const before = await memberIds(acme, segment.id)
  const removed = await change(acme, segment.id, { remove: [first] })

  assert.deepEqual([added.status, added.body], [200, { added: 1, removed: 0 }])
  assert.deepEqual([rules.status, rules.body.member_count, rules.body.references], [200, 2, []])
  assert.deepEqual(before, [first, second].sort())
  assert.deepEqual([removed.body, await memberIds(acme, segment.id)], [{ added: 0, removed: 1 }, [second]])
  const { rows } = await acme.sql('select count(*)::int as n from marketing.segment_members where segment_id = $1', [
    segment.id,
  ])
  assert.equal(rows[0].n, 1)
  assert.deepEqual((await acme.events()).slice(-4), [
    'segment.created',
    'segment.members_changed',
    'segment.updated',
    'segment.members_changed',
  ])
})

test('members of a dynamic segment cannot be changed, and foreign or unknown records cannot be added', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const dynamic = await newSegment(acme)
  const segment = await newSegment(acme, { kind: 'static' })
  const [own, foreign] = [await newLead(acme, {}), await newLead(other, {})]

  const refused = await change(acme, dynamic.id, { add: [own] })
  const unknown = await change(acme, segment.id, { add: [own, foreign] })
  const both = await change(acme, segment.id, { add: [own], remove: [own] })

  assert.deepEqual([refused.status, refused.body.code], [409, 'conflict'])
  assert.deepEqual([unknown.status, unknown.body.errors[0].path], [422, '/add/1'])
  assert.deepEqual([both.status, both.body.errors[0].code], [422, 'contradiction'])
  assert.deepEqual(await memberIds(acme, segment.id), [])
})

test('two adds of the same record at the same time create one member', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, {})
  const segment = await newSegment(acme, { kind: 'static' })

  const answers = await Promise.all([1, 2, 3].map(() => change(acme, segment.id, { add: [lead] })))

  assert.deepEqual(answers.map(({ body }) => body.added).sort(), [0, 0, 1])
})

test('members are listed by id in pages, as summaries or full records', async () => {
  const acme = await tenant()
  const ids = []
  for (let n = 0; n < 3; n++)
    ids.push(await newLead(acme, { company: `Engine works ${n}`, email: `a${n}@example.com` }))
  const segment = await newSegment(acme, { rules: everything })
  const list = async (query: string) => (await acme.viewer.get(`${url}/${segment.id}/members?${query}`)).body

  const first = await list('limit=2')
  const second = await list(`limit=2&cursor=${first.next_cursor}`)
  const full = await list('limit=1&fields=full')

  const expected = ids.sort()
  assert.deepEqual([first.total, first.total_relation], [3, 'eq'])
  assert.deepEqual(
    [...first.items, ...second.items].map(({ id }) => id),
    expected,
  )
  assert.equal(second.next_cursor, null)
  assert.deepEqual(Object.keys(first.items[0]).sort(), ['company', 'created_at', 'email', 'id', 'name', 'owner_id'])
  assert.deepEqual([full.items[0].lead.id, full.items[0].lead.status], [expected[0], 'new'])
  assert.equal((await acme.viewer.get(`${url}/${newId()}/members`)).status, 404)
})

test('segments of contacts and accounts list their members, with fields of the account', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Engine works', industry: 'Machines' })).body.id
  const contact = (await acme.member.post('/api/contacts/', { last_name: 'Moss', account_id: account })).body.id
  await acme.member.post('/api/contacts/', { last_name: 'Roy' })
  const machines = { field: 'industry', op: 'eq', value: 'machines' }
  const contacts = await newSegment(acme, {
    object_type: 'contact',
    rules: { ...machines, field: 'account.industry' },
  })
  const nested = await newSegment(acme, {
    object_type: 'contact',
    rules: { fact: 'segment', segment_id: contacts.id },
  })
  const accounts = await newSegment(acme, { object_type: 'account', rules: machines })
  const full = async (id: string) => (await acme.viewer.get(`${url}/${id}/members?fields=full`)).body.items

  assert.deepEqual(await memberIds(acme, contacts.id), [contact])
  assert.deepEqual(await memberIds(acme, nested.id), [contact])
  assert.equal((await full(nested.id))[0].contact.account.name, 'Engine works')
  assert.equal((await full(accounts.id))[0].account.industry, 'Machines')
  const filter = encodeURIComponent(JSON.stringify({ fact: 'segment', segment_id: contacts.id }))
  assert.equal((await acme.viewer.get(`/api/contacts/?filter=${filter}`)).body.length, 1)
})

test('a deleted record is not a member; a restored one is again', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, {})
  const segment = await newSegment(acme, { kind: 'static', record_ids: [lead] })

  await acme.manager.delete(`/api/leads/${lead}`)
  const deleted = await memberIds(acme, segment.id)
  await acme.manager.post(`/api/leads/${lead}/restore`)

  assert.deepEqual([deleted, await memberIds(acme, segment.id)], [[], [lead]])
})

test('a dynamic segment becomes static with its members, but not dynamic again', async () => {
  const acme = await tenant()
  const lead = await newLead(acme, { country: 'DE' })
  const segment = await newSegment(acme, { rules: german })

  const changed = await acme.member.patch(`${url}/${segment.id}`, { kind: 'static' })
  await acme.member.patch(`/api/leads/${lead}`, { country: 'FR' })
  await newLead(acme, { country: 'DE' })
  const back = await acme.member.patch(`${url}/${segment.id}`, { kind: 'dynamic' })

  assert.deepEqual([changed.status, changed.body.kind, changed.body.member_count], [200, 'static', 1])
  assert.deepEqual(await memberIds(acme, segment.id), [lead])
  assert.deepEqual([back.status, back.body.code], [409, 'invalid_transition'])
})

test('a snapshot of more than 200 records is taken by a task', async () => {
  const acme = await tenant()
  await acme.sql(
    `insert into crm.leads (tenant_id, id, last_name, source, search_text, created_on)
     select $1, gen_random_uuid(), 'Moss', 'web', ' moss', '2026-01-01' from generate_series(1, 700)`,
    [acme.id],
  )

  const created = await newSegment(acme, { kind: 'static', rules: everything })
  const task = await waitForTask(acme, { status_url: `/api/tasks/${created.task_id}/status` })
  const { body } = await acme.viewer.get(`${url}/${created.id}`)

  assert.deepEqual([task.state, task.result], ['succeeded', { members: 700 }])
  assert.deepEqual([body.member_count, body.member_count_relation], [700, 'eq'])
})
