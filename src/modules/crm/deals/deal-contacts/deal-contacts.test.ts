import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import {
  contactStageOf,
  countEvents,
  dayFromNow,
  euros,
  newAccount,
  newContact,
  newDeal,
  url,
} from '../opportunities/opportunities.fixture.ts'

const { tenant } = await startTestApp()

test('a contact has one role in a deal, which can be changed', async () => {
  const acme = await tenant()
  const [moss, { id }] = [await newContact(acme), await newDeal(acme)]
  const addContact = (role?: string) => acme.member.post(`${url}${id}/contacts`, { contact_id: moss, role })

  const first = await addContact('champion')
  const again = await addContact('decision_maker')
  const same = await addContact('decision_maker')
  const contacts = (await acme.viewer.get(`${url}${id}`)).body.contacts

  assert.deepEqual([first.status, first.body.role], [201, 'champion'])
  assert.deepEqual(first.body.contact, { id: moss, name: 'Moss' })
  assert.deepEqual([again.status, again.body.role, same.status], [200, 'decision_maker', 200])
  assert.deepEqual(contacts, [again.body])
  assert.equal(await contactStageOf(acme, moss), 'opportunity')
  assert.equal(await countEvents(acme, 'opportunity.updated'), 2)
  assert.equal((await acme.member.delete(`${url}${id}/contacts/${moss}`)).status, 204)
  assert.equal((await acme.member.delete(`${url}${id}/contacts/${moss}`)).status, 404)
  assert.equal((await addContact()).body.role, 'other')
  assert.deepEqual(
    (await acme.audit()).filter((action) => action.startsWith('opportunity.contact')),
    [...['added', 'updated', 'removed', 'added'].map((fact) => `opportunity.contact_${fact}`)],
  )
})

test('adding a contact again with the same idempotency key replays the response', async () => {
  const acme = await tenant()
  const [moss, { id }] = [await newContact(acme), await newDeal(acme)]
  const addContact = () =>
    acme.member.post(`${url}${id}/contacts`, { contact_id: moss, role: 'user' }, { 'idempotency-key': 'k1' })

  const [first, again] = [await addContact(), await addContact()]

  assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [201, 201, 'true'])
  assert.deepEqual(again.body, first.body)
})

test('concurrent requests add the same contact once', async () => {
  const acme = await tenant()
  const [moss, { id }] = [await newContact(acme), await newDeal(acme)]

  const both = await Promise.all([1, 2].map(() => acme.member.post(`${url}${id}/contacts`, { contact_id: moss })))

  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201])
})

test('contacts of an open deal advance to opportunity and never move to an earlier stage', async () => {
  const acme = await tenant()
  const [fan, moss] = [await newContact(acme, 'Fan', 'evangelist'), await newContact(acme, 'Moss', 'mql')]
  const { id } = await newDeal(acme, { amount: euros('10'), primary_contact_id: fan })

  await acme.member.patch(`${url}${id}`, { primary_contact_id: moss })
  assert.equal(await contactStageOf(acme, moss), 'opportunity')
  await acme.member.post(`${url}${id}/contacts`, { contact_id: fan })
  await acme.member.patch(`${url}${id}`, { stage_key: 'closed_won' })

  assert.deepEqual([await contactStageOf(acme, fan), await contactStageOf(acme, moss)], ['evangelist', 'customer'])
})

test('concurrently winning deals with the same account and contacts succeeds', async () => {
  const acme = await tenant()
  const [account_id, moss, roy] = [await newAccount(acme), await newContact(acme), await newContact(acme, 'Roy')]
  const one = await newDeal(acme, { account_id, amount: euros('1'), primary_contact_id: moss })
  const other = await newDeal(acme, { account_id, amount: euros('2'), primary_contact_id: roy })
  await acme.member.post(`${url}${one.id}/contacts`, { contact_id: roy })
  await acme.member.post(`${url}${other.id}/contacts`, { contact_id: moss })
  const won = { name: 'Fresh', account_id, close_on: dayFromNow(1), amount: euros('3'), stage_key: 'closed_won' }

  const responses = await Promise.all([
    ...[one, other].map(({ id }) => acme.member.patch(`${url}${id}`, { stage_key: 'closed_won' })),
    ...[moss, roy].map((primary_contact_id) => acme.member.post(url, { ...won, primary_contact_id })),
  ])

  assert.deepEqual(
    responses.map(({ status }) => status),
    [200, 200, 201, 201],
  )
  assert.equal(await countEvents(acme, 'account.updated'), 1)
  assert.equal(await countEvents(acme, 'contact.stage_changed'), 4)
})

test('a deal hides its deleted contacts and account and cannot be reopened or restored without the account', async () => {
  const acme = await tenant()
  const [account_id, moss] = [await newAccount(acme), await newContact(acme)]
  const { id } = await newDeal(acme, {
    account_id,
    primary_contact_id: moss,
    amount: euros('5'),
    stage_key: 'closed_won',
  })
  await acme.member.post(`${url}${id}/contacts`, { contact_id: moss })

  await acme.sql('update crm.contacts set deleted_at = now() where id = $1', [moss])
  await acme.sql('update crm.accounts set deleted_at = now() where id = $1', [account_id])
  const hidden = (await acme.viewer.get(`${url}${id}`)).body
  const renamed = await acme.member.patch(`${url}${id}`, { name: 'Looms' })
  const reopened = await acme.member.patch(`${url}${id}`, { stage_key: 'proposal', close_on: dayFromNow(9) })
  await acme.member.delete(`${url}${id}`)
  const restored = await acme.member.post(`${url}${id}/restore`)

  assert.deepEqual([hidden.primary_contact, hidden.account, hidden.contacts], [null, null, []])
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Looms'])
  for (const { status, body } of [reopened, restored]) assert.deepEqual([status, body.code], [409, 'conflict'])
  const created = await acme.member.post(url, { name: 'Late', account_id, close_on: dayFromNow(1) })
  assert.deepEqual([created.status, created.body.code], [422, 'unknown_reference'])
})

test('winning a deal makes its lead a customer', async () => {
  const acme = await tenant()
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  const { id } = await newDeal(acme, { amount: euros('5') })
  await acme.sql('update crm.opportunities set lead_id = $2 where id = $1', [id, lead.id])

  await acme.member.patch(`${url}${id}`, { stage_key: 'closed_won' })

  const { body } = await acme.viewer.get(`/api/leads/${lead.id}`)
  assert.equal(body.lifecycle_stage, 'customer')
  assert.ok(body.customer_at)
  assert.equal((await acme.member.delete(`${url}${id}/contacts/${newId()}`)).status, 404)
})
