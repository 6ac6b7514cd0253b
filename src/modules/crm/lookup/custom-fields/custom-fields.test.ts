import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId } from '#platform/ids'
import { startTestApp } from '#testing'
import { leadsUrl } from '../../people/leads/leads.fixture.ts'
import { createField, createTier, errorsOf, fieldsUrl, options } from './custom-fields.fixture.ts'

const { tenant } = await startTestApp()

const valuesUrl = (id: string, type = 'lead') => `${fieldsUrl}/values/${type}/${id}`

test('crm-6-1 a select field accepts its options only, and an undeclared key is rejected', async () => {
  const acme = await tenant()
  const tier = await createTier(acme)
  const post = (custom: object) => acme.member.post(leadsUrl, { last_name: 'Moss', custom })

  const gold = await post({ tier: 'gold' })
  const bronze = await post({ tier: 'bronze' })
  const unknown = await post({ nope: 'x' })

  assert.partialDeepStrictEqual(tier, {
    key: 'tier',
    object_type: 'lead',
    position: 1,
    index_state: 'ready',
    version: 1,
  })
  assert.deepEqual([gold.status, gold.body.custom], [201, { tier: 'gold' }])
  assert.deepEqual([bronze.status, errorsOf(bronze)], [422, ['/custom/tier enum']])
  assert.deepEqual([unknown.status, errorsOf(unknown)], [422, ['/custom/nope unknown_field']])
})

test('crm-6-2 a number has the declared decimals and is not a string', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'rate', type: 'number', validation: { decimals: 2 } })
  const post = (rate: unknown) => acme.member.post(leadsUrl, { last_name: 'Moss', custom: { rate } })

  const [valid, tooFine, text] = [await post(1.23), await post(1.234), await post('5')]

  assert.deepEqual([valid.status, valid.body.custom.rate], [201, 1.23])
  assert.deepEqual([tooFine.status, errorsOf(tooFine)], [422, ['/custom/rate decimals']])
  assert.deepEqual([text.status, errorsOf(text)], [422, ['/custom/rate type']])
})

test('crm-6-3 replacing values reports a missing required field and all other problems at once', async () => {
  const acme = await tenant()
  const { id } = (await acme.member.post(leadsUrl, { last_name: 'Moss' })).body
  await createTier(acme, { is_required: true })
  await createField(acme, { key: 'rate', type: 'number' })

  const missing = await acme.member.put(valuesUrl(id), { values: { rate: 1 } })
  const both = await acme.member.put(valuesUrl(id), { values: { tier: 'tin', rate: 'x' } })
  const replaced = await acme.member.put(valuesUrl(id), { values: { tier: 'gold' } })

  assert.deepEqual([missing.status, errorsOf(missing)], [422, ['/values/tier required']])
  assert.deepEqual([both.status, errorsOf(both)?.sort()], [422, ['/values/rate type', '/values/tier enum']])
  assert.equal(replaced.status, 200)
  assert.deepEqual(replaced.body.values, { tier: 'gold', rate: null })
})

test('crm-6-4 a field that becomes required later binds only changes that name it', async () => {
  const acme = await tenant()
  const tier = await createTier(acme)
  const { id } = (await acme.member.post(leadsUrl, { last_name: 'Moss' })).body
  await acme.manager.patch(`${fieldsUrl}/${tier.id}`, { is_required: true })

  const title = await acme.member.patch(`${leadsUrl}${id}`, { title: 'Clerk' })
  const cleared = await acme.member.patch(`${leadsUrl}${id}`, { custom: { tier: null } })
  const created = await acme.member.post(leadsUrl, { last_name: 'Roy' })

  assert.equal(title.status, 200)
  assert.deepEqual([cleared.status, errorsOf(cleared)], [422, ['/custom/tier required']])
  assert.deepEqual([created.status, errorsOf(created)], [422, ['/custom/tier required']])
})

test('crm-6-5 reordering requires all fields and keeps the order', async () => {
  const acme = await tenant()
  const ids: string[] = []
  for (const key of ['one', 'two', 'three']) ids.push((await createField(acme, { key })).id)
  const url = `${fieldsUrl}/reorder?object_type=lead`
  const order = [ids[2]!, ids[0]!, ids[1]!]

  const missing = await acme.manager.post(url, { field_ids: ids.slice(1) })
  const unknown = await acme.manager.post(url, { field_ids: [...ids, newId()] })
  const reordered = await acme.manager.post(url, { field_ids: order })
  const listed = await acme.viewer.get(`${fieldsUrl}?object_type=lead`)

  assert.deepEqual([missing.status, errorsOf(missing)], [422, ['/field_ids missing']])
  assert.deepEqual([unknown.status, errorsOf(unknown)], [422, ['/field_ids/3 unknown']])
  assert.equal(reordered.status, 200)
  for (const { body } of [reordered, listed])
    assert.deepEqual(
      body.items.map(({ id }: { id: string }) => id),
      order,
    )
})

test('crm-6-6 values of an inactive field are kept, hidden and read-only', async () => {
  const acme = await tenant()
  const tier = await createTier(acme)
  const { id } = (await acme.member.post(leadsUrl, { last_name: 'Moss', custom: { tier: 'gold' } })).body
  const read = async () => {
    const [lead, list] = [await acme.viewer.get(`${leadsUrl}${id}`), await acme.viewer.get(leadsUrl)]
    const { values, inactive_values } = (await acme.viewer.get(valuesUrl(id))).body
    return [lead.body.custom, list.body.items[0].custom, values, inactive_values]
  }

  await acme.manager.patch(`${fieldsUrl}/${tier.id}`, { is_active: false })
  const hidden = await read()
  const written = await acme.member.patch(`${leadsUrl}${id}`, { custom: { tier: 'silver' } })
  const renamed = await acme.member.patch(`${leadsUrl}${id}`, { title: 'Clerk' })
  await acme.manager.patch(`${fieldsUrl}/${tier.id}`, { is_active: true })
  const shown = await read()

  assert.deepEqual(hidden, [{}, {}, {}, { tier: 'gold' }])
  assert.deepEqual([written.status, errorsOf(written)], [422, ['/custom/tier inactive']])
  assert.deepEqual([renamed.status, renamed.body.custom], [200, {}])
  assert.deepEqual(shown, [{ tier: 'gold' }, { tier: 'gold' }, { tier: 'gold' }, {}])
})

test('crm-6-12 records of other workspaces and unknown object types are rejected', async () => {
  const [acme, other] = [await tenant(), await tenant()]
  const field = await createTier(acme)
  const foreign = await createTier(other)
  const { id } = (await other.member.post(leadsUrl, { last_name: 'Moss', custom: { tier: 'gold' } })).body

  assert.equal((await acme.viewer.get(valuesUrl(id))).status, 404)
  assert.equal((await acme.member.put(valuesUrl(id), { values: {} })).status, 404)
  for (const path of [`values/foo/${id}`, 'standard/foo'])
    assert.equal((await acme.viewer.get(`${fieldsUrl}/${path}`)).status, 422)
  assert.equal((await acme.manager.post(`${fieldsUrl}/reorder?object_type=foo`, { field_ids: [] })).status, 422)
  assert.equal((await acme.manager.patch(`${fieldsUrl}/${foreign.id}`, { label: 'Mine' })).status, 404)
  assert.equal((await acme.manager.delete(`${fieldsUrl}/${foreign.id}`)).status, 404)
  const swapped = await acme.manager.post(`${fieldsUrl}/reorder?object_type=lead`, {
    field_ids: [field.id, foreign.id],
  })
  assert.deepEqual([swapped.status, errorsOf(swapped)], [422, ['/field_ids/1 unknown']])
})

test('crm-6-10 writing values requires the write scope of the record', async () => {
  const acme = await tenant()
  await createTier(acme)
  const { id } = (await acme.member.post(leadsUrl, { last_name: 'Moss' })).body
  const keyWith = async (...scopes: string[]) => {
    const { body } = await acme.admin.post('/api/api-keys', { name: scopes.join(), scopes })
    return acme.bearer(`ApiKey ${body.key}`)
  }
  const [fieldsOnly, both] = [
    await keyWith('custom_fields.write', 'custom_fields.read'),
    await keyWith('custom_fields.write', 'leads.write'),
  ]

  const refused = await fieldsOnly.put(valuesUrl(id), { values: { tier: 'gold' } })
  const unread = await fieldsOnly.get(valuesUrl(id))
  const accepted = await both.put(valuesUrl(id), { values: { tier: 'gold' } })

  assert.deepEqual([refused.status, refused.body.required_scope], [403, 'leads.write'])
  assert.deepEqual([unread.status, unread.body.required_scope], [403, 'leads.read'])
  assert.equal(accepted.status, 200)
})

test('definitions are created and changed by managers only', async () => {
  const acme = await tenant()
  const tier = await createTier(acme)
  const input = { object_type: 'lead', label: 'Size', type: 'number' }

  for (const user of [acme.member, acme.viewer]) {
    assert.equal((await user.post(fieldsUrl, input)).status, 403)
    assert.equal((await user.patch(`${fieldsUrl}/${tier.id}`, { label: 'x' })).status, 403)
    assert.equal((await user.delete(`${fieldsUrl}/${tier.id}`)).status, 403)
    assert.equal((await user.get(fieldsUrl)).status, 200)
  }
})

test('a definition is checked against its type', async () => {
  const acme = await tenant()
  const post = (input: object) =>
    acme.manager.post(fieldsUrl, { object_type: 'lead', label: 'Field', type: 'text', ...input })
  const cases: [object, string][] = [
    [{ type: 'select' }, '/options minItems'],
    [{ options: options('a') }, '/options type'],
    [{ type: 'select', options: options('a', 'a') }, '/options/1/key duplicate'],
    [{ validation: { min: 1 } }, '/validation/min type'],
    [{ validation: { min_length: 5, max_length: 2 } }, '/validation/max_length order'],
    [{ validation: { pattern: '(?=a)' } }, '/validation/pattern pattern'],
    [{ validation: { pattern: '(a)\\1' } }, '/validation/pattern pattern'],
    [{ type: 'date', validation: { min: 'tomorrow' } }, '/validation/min format'],
    [{ type: 'number', validation: { min: 3, max: 1 } }, '/validation/max order'],
    [{ type: 'boolean', is_unique: true }, '/is_unique type'],
    [{ default_value: 5 }, '/default_value type'],
    [{ is_unique: true, default_value: 'x' }, '/default_value unique'],
    [{ key: 'email' }, '/key standard_field'],
    [{ maps_to: { contact: 'nope' } }, '/maps_to/contact unknown_field'],
    [{ object_type: 'account', maps_to: { contact: 'nope' } }, '/maps_to object_type'],
  ]

  for (const [input, expected] of cases) {
    const response = await post(input)
    assert.deepEqual([response.status, errorsOf(response)], [422, [expected]], JSON.stringify(input))
  }
  const derived = await post({ label: 'Größe (cm)' })
  assert.deepEqual([derived.status, derived.body.key], [201, 'gro_e_cm'])
  const taken = await post({ label: 'Größe (cm)' })
  assert.deepEqual([taken.status, taken.body.code, taken.body.existing_id], [409, 'already_exists', derived.body.id])
})
