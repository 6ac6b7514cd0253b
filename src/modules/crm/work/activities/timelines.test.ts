import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Entry = { id: string; type: string }

const notes = async (acme: Acme, url: string) =>
  (await acme.member.get(`${url}/activities?type=note,call`)).body.items.map(({ id }: Entry) => id)

test('the timeline of an account includes the activities of its contacts', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Initech' })).body
  const contact = (await acme.member.post('/api/contacts/', { last_name: 'Moss', account_id: account.id })).body
  const urls = { account: `/api/accounts/${account.id}`, contact: `/api/contacts/${contact.id}` }

  const call = (await acme.member.post(`${urls.contact}/activities`, { type: 'call', direction: 'in' })).body
  const note = (await acme.member.post(`${urls.account}/activities`, { type: 'note' })).body

  assert.deepEqual(await notes(acme, urls.account), [note.id, call.id])
  assert.deepEqual(await notes(acme, urls.contact), [call.id])
  const [seenContact, seenAccount] = [
    (await acme.member.get(urls.contact)).body,
    (await acme.member.get(urls.account)).body,
  ]
  assert.deepEqual([seenContact.last_activity_at, seenContact.last_engaged_at], [call.occurred_at, call.occurred_at])
  assert.equal(seenAccount.last_activity_at, note.occurred_at)
  assert.equal(seenAccount.stats.last_activity_at, note.occurred_at)
  assert.deepEqual([seenContact.version, seenAccount.version], [1, 1])
  const events = await acme.events()
  for (const type of ['contact.activity_logged', 'account.activity_logged']) assert.ok(events.includes(type), type)
  assert.equal((await acme.manager.delete(`${urls.account}/activities/${note.id}`)).status, 204)
  assert.equal((await acme.member.get(urls.account)).body.last_activity_at, call.occurred_at)
})

test('activities of a deal are in the timelines of the deal and its account', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Initech' })).body
  const opened = { name: 'Big', account_id: account.id, close_on: '2030-01-01' }
  const deal = (await acme.member.post('/api/opportunities/', opened)).body
  const url = `/api/opportunities/${deal.id}`

  const note = await acme.member.post(`${url}/activities`, { type: 'note', body: 'They like it' })

  assert.equal(note.status, 201)
  assert.deepEqual([note.body.opportunity_id, note.body.account_id], [deal.id, account.id])
  assert.deepEqual(await notes(acme, url), [note.body.id])
  assert.deepEqual(await notes(acme, `/api/accounts/${account.id}`), [note.body.id])
  assert.ok((await acme.events()).includes('opportunity.activity_logged'))
  assert.equal((await acme.member.delete(`${url}/activities/${note.body.id}`)).status, 204)
  assert.deepEqual(await notes(acme, url), [])
})

test('crm-2-9 a contact of a converted lead shows each activity of the lead once', async () => {
  const acme = await tenant()
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss', email: 'moss@gmail.com' })).body
  const call = async (parent: string) => (await acme.member.post(`${parent}/activities`, { type: 'call' })).body
  const leadUrl = `/api/leads/${lead.id}`
  const [first, second] = [await call(leadUrl), await call(leadUrl)]

  const { contact, account } = (await acme.member.post(`${leadUrl}/convert`)).body

  const contactUrl = `/api/contacts/${contact.id}`
  assert.deepEqual(await notes(acme, contactUrl), [second.id, first.id])
  const [later, own] = [await call(leadUrl), await call(contactUrl)]
  const all = [own.id, later.id, second.id, first.id]
  assert.deepEqual([later.contact_id, later.account_id], [contact.id, account.id])
  assert.deepEqual(await notes(acme, contactUrl), all)
  assert.deepEqual(await notes(acme, leadUrl), all.slice(1))
  assert.equal((await acme.member.get(`${contactUrl}/activities?type=call`)).body.total, 4)

  // A job links the activities beyond the first 5,000 later.
  await acme.sql('update crm.activities set contact_id = null, account_id = null where id = $1', [first.id])
  assert.deepEqual(await notes(acme, contactUrl), all)
  const pages: string[] = []
  for (let cursor = ''; cursor !== null; ) {
    const { items, next_cursor } = (await acme.member.get(`${contactUrl}/activities?type=call&limit=1${cursor}`)).body
    pages.push(...items.map(({ id }: Entry) => id))
    cursor = next_cursor && `&cursor=${next_cursor}`
  }
  assert.deepEqual(pages, all)
  const changed = await acme.member.patch(`${contactUrl}/activities/${first.id}`, { outcome: 'connected' })
  assert.equal(changed.status, 200)
  assert.equal((await acme.member.get(leadUrl)).body.status, 'converted')
})

test('open tasks of a user are listed by due date over all records, without those of deleted records', async () => {
  const acme = await tenant()
  const account = (await acme.member.post('/api/accounts/', { name: 'Initech' })).body
  const lead = (await acme.member.post('/api/leads/', { email: 'ann@buyer.example', last_name: 'Lee' })).body
  const gone = (await acme.member.post('/api/leads/', { email: 'bob@buyer.example' })).body
  const opened = { name: 'Big', account_id: account.id, close_on: '2030-01-01' }
  const deal = (await acme.member.post('/api/opportunities/', opened)).body
  const addTask = async (url: string, subject: string, more: object = {}) =>
    (await acme.member.post(`${url}/activities`, { type: 'task', subject, assignee_id: acme.member.userId, ...more }))
      .body
  await addTask(`/api/leads/${lead.id}`, 'without a date')
  await addTask(`/api/leads/${lead.id}`, 'third', { due_at: '2030-01-03T09:00:00Z' })
  await addTask(`/api/opportunities/${deal.id}`, 'first', { due_at: '2030-01-01T09:00:00Z' })
  await addTask(`/api/accounts/${account.id}`, 'second', { due_at: '2030-01-02T09:00:00Z' })
  await addTask(`/api/leads/${lead.id}`, 'of another user', { assignee_id: acme.manager.userId })
  await addTask(`/api/leads/${gone.id}`, 'of a deleted lead', { due_at: '2030-01-01T09:00:00Z' })
  const done = await addTask(`/api/leads/${lead.id}`, 'done', { due_at: '2030-01-01T09:00:00Z' })
  await acme.member.patch(`/api/leads/${lead.id}/activities/${done.id}`, { completed_at: done.occurred_at })
  assert.equal((await acme.member.delete(`/api/leads/${gone.id}`)).status, 204)
  type Task = { subject: string; record: object }
  const list = async (query = '') => (await acme.member.get(`/api/activities${query}`)).body
  const subjectsOf = ({ items }: { items: Task[] }) => items.map(({ subject }) => subject)

  const all = await list()
  const page = await list('?limit=2')
  const next = await list(`?limit=2&cursor=${encodeURIComponent(page.next_cursor)}`)

  assert.deepEqual(subjectsOf(all), ['first', 'second', 'third', 'without a date'])
  assert.deepEqual([...subjectsOf(page), ...subjectsOf(next)], subjectsOf(all))
  assert.deepEqual(subjectsOf(await list('?sort=-due_at')), ['third', 'second', 'first', 'without a date'])
  assert.deepEqual(subjectsOf(await list('?due_before=2030-01-02T10:00:00Z')), ['first', 'second'])
  assert.deepEqual(subjectsOf(await list(`?assignee_id=${acme.manager.userId}`)), ['of another user'])
  assert.deepEqual(
    all.items.slice(0, 3).map(({ record }: Task) => record),
    [
      { type: 'opportunity', id: deal.id, name: 'Big' },
      { type: 'account', id: account.id, name: 'Initech' },
      { type: 'lead', id: lead.id, name: 'Lee' },
    ],
  )
})
