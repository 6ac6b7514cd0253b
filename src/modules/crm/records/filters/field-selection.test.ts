import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { createField } from '../../lookup/custom-fields/custom-fields.fixture.ts'

const { tenant } = await startTestApp()
type Acme = Awaited<ReturnType<typeof tenant>>
type Item = Record<string, unknown> & { id: string }

const summaryFields = {
  contacts:
    'id name email phone title account owner lifecycle_stage email_status last_activity_at tags custom created_at version',
  accounts: 'id name domain type industry employee_count owner last_activity_at tags custom created_at version',
  opportunities:
    'id name account pipeline_id stage_key stage_label kind amount amount_base probability_rate forecast_category ' +
    'close_on is_overdue next_step owner days_in_stage last_activity_at tags custom version',
}
type Resource = keyof typeof summaryFields

const listItems = async (acme: Acme, path: string): Promise<Item[]> => {
  const { status, body } = await acme.viewer.get(path)
  assert.equal(status, 200, JSON.stringify(body))
  return body.items ?? body
}
const select = (item: Item, fields: string) =>
  Object.fromEntries(fields.split(' ').map((field) => [field, item[field]]))

/** Creates two contacts and deals of an account, with values in all kinds of fields. */
async function createRecords(acme: Acme) {
  const more = { owner_id: acme.member.userId, tags: ['vip'], notes: 'Likes tea' }
  for (const object_type of ['contact', 'account', 'opportunity'])
    for (const key of ['tier', 'hidden']) await createField(acme, { object_type, key })
  const custom = { tier: 'gold', hidden: 'secret' }
  const add = async (resource: Resource, record: object) =>
    (await acme.member.post(`/api/${resource}/`, { ...more, custom, ...record })).body as Item
  const account = await add('accounts', { name: 'Initech', domain: 'initech.example', industry: 'Software' })
  for (const last_name of ['Moss', 'Roy'])
    await add('contacts', { last_name, account_id: account.id, email: `${last_name}@initech.example`, title: 'CTO' })
  for (const name of ['Engines', 'Wings'])
    await add('opportunities', {
      name,
      account_id: account.id,
      close_on: '2031-01-31',
      amount: { amount: '10.00', currency: 'EUR' },
      next_step: 'Call',
    })
  await acme.sql(`update crm.custom_fields set is_active = false where tenant_id = $1 and key = 'hidden'`, [acme.id])
  return account
}

test('a list has all fields of its records, or with fields=summary those of the summary with the same values', async () => {
  const acme = await tenant()
  const { id } = await createRecords(acme)
  const lists: [Resource, string][] = [
    ['contacts', '/api/contacts/'],
    ['accounts', '/api/accounts/'],
    ['opportunities', '/api/opportunities/'],
    ['contacts', `/api/accounts/${id}/contacts`],
    ['opportunities', `/api/accounts/${id}/opportunities`],
  ]

  for (const [resource, path] of lists) {
    const fields = summaryFields[resource]
    const full = await listItems(acme, path)
    const summaries = await listItems(acme, `${path}?fields=summary`)
    const { stats: _, contacts: __, ...record } = (await acme.viewer.get(`/api/${resource}/${full[0]!.id}`)).body
    assert.deepEqual(full[0], record, path)
    assert.deepEqual(await listItems(acme, `${path}?fields=full`), full, path)
    assert.ok(full.length > 0 && full[0]!.notes === 'Likes tea', path)
    assert.deepEqual(
      summaries,
      full.map((item) => select(item, fields)),
      path,
    )
    assert.deepEqual(summaries[0]!.custom, { tier: 'gold' }, path)
  }
})

test('a cursor continues with the same and with other fields, and unknown selections are rejected', async () => {
  const acme = await tenant()
  await createRecords(acme)
  const first = (await acme.viewer.get('/api/opportunities/?limit=1&sort=name&fields=summary')).body
  const [second] = await listItems(acme, `/api/opportunities/?limit=1&sort=name&cursor=${first.next_cursor}`)
  const contacts = await acme.viewer.get('/api/contacts/?limit=1&fields=summary')

  assert.deepEqual([first.items[0].name, second!.name, second!.notes], ['Engines', 'Wings', 'Likes tea'])
  assert.match(String(contacts.headers.link), /fields=summary.*rel="next"/)
  for (const resource of Object.keys(summaryFields)) {
    const { status, body } = await acme.viewer.get(`/api/${resource}/?fields=name`)
    assert.deepEqual([status, body.errors[0].path], [422, '/fields'])
  }
})
