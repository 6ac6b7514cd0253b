import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { account, announced, contact, dayFromNow, deal, euros, stageOf, url } from './opportunities.fixture.ts'

const { tenant } = await startTestApp()

test('a contact has one part in a deal, and can get another', async () => {
  const acme = await tenant()
  const [moss, { id }] = [await contact(acme), await deal(acme)]
  const involve = (role?: string) => acme.member.post(`${url}${id}/contacts`, { contact_id: moss, role })

  const first = await involve('champion')
  const again = await involve('decision_maker')
  const same = await involve('decision_maker')
  const shown = (await acme.viewer.get(`${url}${id}`)).body.contacts

  assert.deepEqual([first.status, first.body.role], [201, 'champion'])
  assert.deepEqual(first.body.contact, { id: moss, name: 'Moss' })
  assert.deepEqual([again.status, again.body.role, same.status], [200, 'decision_maker', 200])
  assert.deepEqual(shown, [again.body])
  assert.equal(await stageOf(acme, moss), 'opportunity')
  assert.equal(await announced(acme, 'opportunity.updated'), 2)
  assert.equal((await acme.member.delete(`${url}${id}/contacts/${moss}`)).status, 204)
  assert.equal((await acme.member.delete(`${url}${id}/contacts/${moss}`)).status, 404)
  assert.equal((await involve()).body.role, 'other')
  assert.deepEqual(
    (await acme.audit()).filter((action) => action.startsWith('opportunity.contact')),
    [...['added', 'updated', 'removed', 'added'].map((fact) => `opportunity.contact_${fact}`)],
  )
})

test('a part that is given again with the same key is answered as the first time', async () => {
  const acme = await tenant()
  const [moss, { id }] = [await contact(acme), await deal(acme)]
  const involve = () =>
    acme.member.post(`${url}${id}/contacts`, { contact_id: moss, role: 'user' }, { 'idempotency-key': 'k1' })

  const [first, again] = [await involve(), await involve()]

  assert.deepEqual([first.status, again.status, again.headers['idempotency-replayed']], [201, 201, 'true'])
  assert.deepEqual(again.body, first.body)
})

test('two who bring in the same person at once bring in one', async () => {
  const acme = await tenant()
  const [moss, { id }] = [await contact(acme), await deal(acme)]

  const both = await Promise.all([1, 2].map(() => acme.member.post(`${url}${id}/contacts`, { contact_id: moss })))

  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 201])
})

test('nobody goes down with a deal, and whoever joins an open one goes up', async () => {
  const acme = await tenant()
  const [fan, moss] = [await contact(acme, 'Fan', 'evangelist'), await contact(acme, 'Moss', 'mql')]
  const { id } = await deal(acme, { amount: euros('10'), primary_contact_id: fan })

  await acme.member.patch(`${url}${id}`, { primary_contact_id: moss })
  assert.equal(await stageOf(acme, moss), 'opportunity')
  await acme.member.post(`${url}${id}/contacts`, { contact_id: fan })
  await acme.member.patch(`${url}${id}`, { stage_key: 'closed_won' })

  assert.deepEqual([await stageOf(acme, fan), await stageOf(acme, moss)], ['evangelist', 'customer'])
})

test('two deals won at once with the same people and company are both won', async () => {
  const acme = await tenant()
  const [account_id, moss, roy] = [await account(acme), await contact(acme), await contact(acme, 'Roy')]
  const one = await deal(acme, { account_id, amount: euros('1'), primary_contact_id: moss })
  const other = await deal(acme, { account_id, amount: euros('2'), primary_contact_id: roy })
  await acme.member.post(`${url}${one.id}/contacts`, { contact_id: roy })
  await acme.member.post(`${url}${other.id}/contacts`, { contact_id: moss })
  const won = { name: 'Fresh', account_id, close_on: dayFromNow(1), amount: euros('3'), stage_key: 'closed_won' }

  const answers = await Promise.all([
    ...[one, other].map(({ id }) => acme.member.patch(`${url}${id}`, { stage_key: 'closed_won' })),
    ...[moss, roy].map((primary_contact_id) => acme.member.post(url, { ...won, primary_contact_id })),
  ])

  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 201, 201],
  )
  assert.equal(await announced(acme, 'account.updated'), 1)
  assert.equal(await announced(acme, 'contact.stage_changed'), 4)
})

test('a contact or account that was deleted is not shown with its deals until it is back', async () => {
  const acme = await tenant()
  const [account_id, moss] = [await account(acme), await contact(acme)]
  const { id } = await deal(acme, {
    ...{ account_id, primary_contact_id: moss, amount: euros('5'), stage_key: 'closed_won' },
  })
  await acme.member.post(`${url}${id}/contacts`, { contact_id: moss })

  await acme.sql('update crm.contacts set deleted_at = now() where id = $1', [moss])
  await acme.sql('update crm.accounts set deleted_at = now() where id = $1', [account_id])
  const alone = (await acme.viewer.get(`${url}${id}`)).body
  const renamed = await acme.member.patch(`${url}${id}`, { name: 'Looms' })
  const reopened = await acme.member.patch(`${url}${id}`, { stage_key: 'proposal', close_on: dayFromNow(9) })
  await acme.member.delete(`${url}${id}`)
  const homeless = await acme.member.post(`${url}${id}/restore`)

  assert.deepEqual([alone.primary_contact, alone.account, alone.contacts], [null, null, []])
  assert.deepEqual([renamed.status, renamed.body.name], [200, 'Looms'])
  for (const { status, body } of [reopened, homeless]) assert.deepEqual([status, body.code], [409, 'conflict'])
  const gone = await acme.member.post(url, { name: 'Late', account_id, close_on: dayFromNow(1) })
  assert.deepEqual([gone.status, gone.body.code], [422, 'unknown_reference'])
})

test('the lead a deal came of becomes a customer with it', async () => {
  const acme = await tenant()
  const lead = (await acme.member.post('/api/leads/', { last_name: 'Moss' })).body
  const { id } = await deal(acme, { amount: euros('5') })
  await acme.sql('update crm.opportunities set lead_id = $2 where id = $1', [id, lead.id])

  await acme.member.patch(`${url}${id}`, { stage_key: 'closed_won' })

  const { body } = await acme.viewer.get(`/api/leads/${lead.id}`)
  assert.equal(body.lifecycle_stage, 'customer')
  assert.ok(body.customer_at)
  assert.equal((await acme.member.delete(`${url}${id}/contacts/${newId()}`)).status, 404)
})
