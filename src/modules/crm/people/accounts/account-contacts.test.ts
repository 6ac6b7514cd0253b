import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp, waitForValue } from '#testing'

const { tenant, startTestWorker } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>

const url = '/api/accounts/'
const add = async (acme: Acme, path: string, record: object) => (await acme.member.post(path, record)).body
const read = async (acme: Acme, { id }: { id: string }) => (await acme.member.get(`/api/contacts/${id}`)).body

async function withDeal(acme: Acme) {
  const account = await add(acme, url, { name: 'Initech', domain: 'initech.example' })
  const contact = await add(acme, '/api/contacts/', { last_name: 'Moss', account_id: account.id })
  const deal = await add(acme, '/api/opportunities/', {
    name: 'Big',
    account_id: account.id,
    primary_contact_id: contact.id,
    close_on: '2030-01-01',
    amount: { amount: '100.00', currency: 'EUR' },
  })
  return { account, contact, deal }
}

test('crm-3-8 an account with open deals cannot be deleted; without them it can be deleted and restored with its contacts', async () => {
  const acme = await tenant()
  const { account, contact, deal } = await withDeal(acme)
  const shown = (await acme.member.get(`${url}${account.id}`)).body.stats
  assert.partialDeepStrictEqual(shown, { contacts: 1, open_opportunities: 1, open_amount: { amount: '100.00' } })

  const refused = await acme.manager.delete(`${url}${account.id}`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'has_dependents'])
  assert.deepEqual(refused.body.counts, { open_opportunities: 1 })
  await acme.member.patch(`/api/opportunities/${deal.id}`, { stage_key: 'closed_won' })
  const won = (await acme.member.get(`${url}${account.id}`)).body
  assert.deepEqual([won.type, won.stats.won_amount.amount], ['customer', '100.00'])
  assert.equal((await acme.manager.delete(`${url}${account.id}`)).status, 204)

  const orphan = await read(acme, contact)
  assert.deepEqual([orphan.account, orphan.account_id, orphan.account_name], [null, null, null])
  assert.deepEqual((await acme.member.get(`/api/contacts/?account_id=${account.id}`)).body, [])
  assert.equal((await acme.member.get('/api/contacts/?account_id=none')).body[0].id, contact.id)
  assert.equal((await acme.member.get(`${url}${account.id}`)).status, 404)
  const back = await acme.manager.post(`${url}${account.id}/restore`)
  assert.equal(back.status, 200)
  assert.deepEqual((await read(acme, contact)).account, { id: account.id, name: 'Initech' })
  assert.equal((await acme.member.get(`/api/contacts/?account_id=${account.id}`)).body.length, 1)
  assert.equal((await acme.member.get(`${url}${account.id}/contacts`)).body.items[0].id, contact.id)
})

test('crm-2-10 a contact removed from an account stays in its deals', async () => {
  const acme = await tenant()
  const { account, contact, deal } = await withDeal(acme)
  const other = await add(acme, '/api/contacts/', { last_name: 'Roy', account_id: account.id })
  await add(acme, `/api/opportunities/${deal.id}/contacts`, { contact_id: other.id, role: 'champion' })

  const updates = []
  for (const { id } of [contact, other])
    updates.push(await acme.member.patch(`/api/contacts/${id}`, { account_id: null }))

  for (const { status, body } of updates) {
    assert.deepEqual([status, body.account, body.account_id, body.account_name], [200, null, null, null])
    assert.deepEqual((await read(acme, body)).account, null)
    const deals = (await acme.member.get(`/api/contacts/${body.id}/opportunities`)).body
    assert.deepEqual(
      deals.items.map(({ id }: { id: string }) => id),
      [deal.id],
    )
  }
  const shown = (await acme.member.get(`/api/opportunities/${deal.id}`)).body
  assert.deepEqual([shown.primary_contact.id, shown.account_id, shown.version], [contact.id, account.id, deal.version])
  assert.deepEqual(
    shown.contacts.map(({ contact_id, role }: Record<string, string>) => [contact_id, role]),
    [[other.id, 'champion']],
  )
  assert.deepEqual((await acme.member.get(`${url}${account.id}/contacts`)).body.items, [])
})

test('an account cannot be deleted while a deal is created for it', async () => {
  const acme = await tenant()

  for (let round = 0; round < 3; round++) {
    const account = await add(acme, url, { name: `Initech ${round}` })
    const [opened, deleted] = await Promise.all([
      acme.member.post('/api/opportunities/', { name: 'Big', account_id: account.id, close_on: '2030-01-01' }),
      acme.manager.delete(`${url}${account.id}`),
    ])
    assert.ok(
      (opened.status === 201 && deleted.status === 409) || (opened.status === 422 && deleted.status === 204),
      `${opened.status} ${deleted.status}`,
    )
  }
})

test('a contact added to an account while it is renamed gets the new name', async () => {
  const acme = await tenant()

  for (let round = 0; round < 3; round++) {
    const account = await add(acme, url, { name: 'Initech' })
    const contact = await add(acme, '/api/contacts/', { last_name: 'Moss' })
    await Promise.all([
      acme.member.patch(`/api/contacts/${contact.id}`, { account_id: account.id }),
      acme.manager.patch(`${url}${account.id}`, { name: 'Zed' }),
    ])
    const { rows } = await acme.sql('select account_name from crm.contacts where id = $1', [contact.id])
    assert.equal(rows[0].account_name, 'Zed')
  }
})

test('customers of an account that becomes a former customer become former customers', async () => {
  const acme = await tenant()
  const account = await add(acme, url, { name: 'Initech', type: 'customer' })
  const person = (lifecycle_stage: string) =>
    add(acme, '/api/contacts/', { last_name: 'Moss', account_id: account.id, lifecycle_stage })
  const [customer, lead] = [await person('customer'), await person('lead')]

  await acme.member.patch(`${url}${account.id}`, { type: 'former_customer' })

  assert.deepEqual(
    [(await read(acme, customer)).lifecycle_stage, (await read(acme, lead)).lifecycle_stage],
    ['former_customer', 'lead'],
  )
  const [step] = (await acme.member.get(`/api/contacts/${customer.id}/activities?type=stage_changed`)).body.items
  assert.partialDeepStrictEqual(step.meta, { from: 'customer', to: 'former_customer', cause: 'account' })
})

test('contacts beyond the first batch are updated by a job', async () => {
  const acme = await tenant()
  const account = await add(acme, url, { name: 'Initech', type: 'customer' })
  await acme.sql(
    `insert into crm.contacts (tenant_id, id, last_name, source, account_id, account_name, search_text, lifecycle_stage)
     select $1, gen_random_uuid(), 'Person ' || n, 'manual', $2, 'Initech', ' person', case when n <= 250 then 'customer' else 'lead' end
     from generate_series(1, 1200) n`,
    [acme.id, account.id],
  )
  const countStale = async () => {
    const { rows } = await acme.sql(
      `select count(*) filter (where account_name = 'Initech')::int as misnamed,
         count(*) filter (where lifecycle_stage = 'customer')::int as customers
       from crm.contacts where account_id = $1`,
      [account.id],
    )
    return rows[0]
  }

  await acme.member.patch(`${url}${account.id}`, { name: 'Zed', type: 'former_customer' })
  assert.deepEqual(await countStale(), { misnamed: 200, customers: 50 })
  const lastPage = (await acme.member.get(`/api/contacts/?account_id=${account.id}&limit=200&offset=1100`)).body
  assert.ok(
    lastPage.every(({ account_name }: { account_name: string }) => account_name === 'Zed'),
    'the API shows the new name immediately',
  )
  await startTestWorker()

  await waitForValue(countStale, ({ misnamed, customers }) => misnamed === 0 && customers === 0)
})
