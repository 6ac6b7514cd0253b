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

test('crm-2-9 the timeline of a contact includes each activity of its lead once', async () => {
  const acme = await tenant()
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  const contact = (await acme.member.post('/api/contacts/', { last_name: 'Moss' })).body
  const early = (await acme.member.post(`/api/leads/${lead.id}/activities`, { type: 'call' })).body
  const moved = (await acme.member.post(`/api/leads/${lead.id}/activities`, { type: 'call' })).body
  await acme.sql(`update crm.contacts set lead_id = $1 where id = $2`, [lead.id, contact.id])
  await acme.sql(
    `update crm.leads set converted_contact_id = $2, converted_at = now(), status = 'converted' where id = $1`,
    [lead.id, contact.id],
  )
  await acme.sql(`update crm.activities set contact_id = $1 where id = $2`, [contact.id, moved.id])

  const later = (await acme.member.post(`/api/leads/${lead.id}/activities`, { type: 'call' })).body
  const own = (await acme.member.post(`/api/contacts/${contact.id}/activities`, { type: 'note' })).body

  assert.equal(later.contact_id, contact.id)
  assert.deepEqual(await notes(acme, `/api/contacts/${contact.id}`), [own.id, later.id, moved.id, early.id])
  assert.equal((await acme.member.get(`/api/contacts/${contact.id}/activities?type=note,call`)).body.total, 4)
  const changed = await acme.member.patch(`/api/contacts/${contact.id}/activities/${early.id}`, {
    outcome: 'connected',
  })
  assert.equal(changed.status, 200)
  assert.equal((await acme.member.get(`/api/leads/${lead.id}`)).body.status, 'converted')
})
