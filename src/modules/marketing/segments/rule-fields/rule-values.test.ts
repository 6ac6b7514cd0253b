import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { newLead, type Workspace } from '../segments/segments.fixture.ts'

const { tenant } = await startTestApp()

const list = async (acme: Workspace, query: object) => {
  const { status, body } = await acme.viewer.get(
    `/api/segments/rule-values?${new URLSearchParams({ object_type: 'lead', ...query })}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body.items
}

test('values in use are listed, the most frequent first, and searched in upper or lower case', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  for (const industry of ['Software', 'Steel', 'Software', 'Öl und Gas'])
    await newLead(acme, { industry, tags: ['vip', industry.toLowerCase()] })
  await newLead(acme, { notes: 'x'.repeat(201) })
  const gone = await newLead(acme, { industry: 'Gone' })
  await acme.manager.delete(`/api/leads/${gone}`)

  assert.deepEqual(await list(acme, { field: 'industry' }), ['Software', 'Steel', 'Öl und Gas'])
  assert.deepEqual(await list(acme, { field: 'industry', search: 'ST' }), ['Steel'])
  assert.deepEqual(await list(acme, { field: 'industry', search: 'öl' }), ['Öl und Gas'])
  assert.deepEqual(await list(acme, { field: 'industry', search: '%' }), [])
  assert.deepEqual(await list(acme, { field: 'tags' }), ['vip', 'software', 'steel', 'öl und gas'])
  assert.deepEqual(await list(acme, { field: 'tags', search: 'sof' }), ['software'])
  assert.deepEqual(await list(acme, { field: 'notes' }), [])
  assert.deepEqual(await list(other, { field: 'industry' }), [])
})

test('at most 20 values of custom fields and of the account of contacts are listed', async () => {
  const acme = await tenant()
  const choices = {
    options: [
      { key: 'red', label: 'Red' },
      { key: 'blue', label: 'Blue' },
    ],
  }
  for (const field of [
    { object_type: 'lead', type: 'text', key: 'area', label: 'Area' },
    { object_type: 'lead', type: 'multi_select', key: 'colors', label: 'Colors', ...choices },
  ])
    assert.equal((await acme.manager.post('/api/custom-fields', { ...field, is_filterable: true })).status, 201)
  for (let n = 0; n < 22; n++) await newLead(acme, { custom: { area: `Area ${n}`, colors: ['red'] } })
  await newLead(acme, { custom: { colors: ['red', 'blue'] } })
  const account = await acme.member.post('/api/accounts/', { name: 'Initech', industry: 'Printing' })
  await acme.member.post('/api/contacts/', { last_name: 'Moss', account_id: account.body.id })

  assert.equal((await list(acme, { field: 'custom.area' })).length, 20)
  assert.deepEqual(await list(acme, { field: 'custom.colors' }), ['red', 'blue'])
  assert.deepEqual(await list(acme, { object_type: 'contact', field: 'account.industry' }), ['Printing'])
})

test('values need the read scope of their records, and a field with texts', async () => {
  const acme = await tenant()
  const keyWith = async (scopes: string[]) => {
    const { body } = await acme.admin.post('/api/api-keys', { name: scopes.join(' '), scopes })
    const client = acme.bearer(`ApiKey ${body.key}`)
    return (query: string) => client.get(`/api/segments/rule-values?${query}`)
  }
  const [bare, ofContacts] = [await keyWith(['segments.read']), await keyWith(['segments.read', 'contacts.read'])]
  const errorOf = async (field: string) => {
    const { status, body } = await acme.viewer.get(`/api/segments/rule-values?object_type=lead&field=${field}`)
    return [status, body.errors[0].path, body.errors[0].code]
  }

  const refused = [
    await bare('object_type=lead&field=industry'),
    await ofContacts('object_type=contact&field=account.industry'),
  ]
  const allowed = await ofContacts('object_type=contact&field=department')

  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.code]),
    [
      [403, 'scope_required'],
      [403, 'scope_required'],
    ],
  )
  assert.equal(allowed.status, 200)
  assert.deepEqual(await errorOf('score'), [422, '/field', 'type'])
  assert.deepEqual(await errorOf('owner_id'), [422, '/field', 'type'])
  assert.deepEqual(await errorOf('constructor'), [422, '/field', 'unknown_field'])
})
