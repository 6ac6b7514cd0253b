import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { type Acme, leadsUrl } from '../../people/leads/leads.fixture.ts'
import { createField, createTier, errorsOf, fieldsUrl, options } from './custom-fields.fixture.ts'

const { tenant } = await startTestApp()

const addLead = async (acme: Acme, custom: object) => {
  const { status, body } = await acme.member.post(leadsUrl, { last_name: 'Moss', custom })
  assert.equal(status, 201, JSON.stringify(body))
  return body
}

test('defaults apply to new records only, and the version of the record protects its values', async () => {
  const acme = await tenant()
  const old = await addLead(acme, {})
  await createTier(acme, { default_value: 'silver' })
  const url = `${fieldsUrl}/values/lead/${old.id}`

  const fresh = await addLead(acme, {})
  const cleared = await addLead(acme, { tier: null })
  const stale = await acme.member.put(url, { values: { tier: 'gold' } }, { 'if-match': '"7"' })
  const read = await acme.viewer.get(url)

  assert.deepEqual([fresh.custom, cleared.custom], [{ tier: 'silver' }, {}])
  assert.equal(stale.status, 412)
  assert.deepEqual([read.headers.etag, read.body.values], [`"${old.version}"`, { tier: null }])
})

test('a default that is no longer valid is left out', async () => {
  const acme = await tenant()
  const helper = await acme.person('member')
  await createField(acme, { key: 'helper', type: 'user', default_value: helper.userId })
  const before = await addLead(acme, {})
  await acme.admin.patch(`/api/users/${helper.userId}`, { status: 'deactivated' })

  const after = await addLead(acme, {})
  const named = await acme.member.post(leadsUrl, { last_name: 'Roy', custom: { helper: helper.userId } })

  assert.deepEqual([before.custom, after.custom], [{ helper: helper.userId }, {}])
  assert.deepEqual([named.status, errorsOf(named)], [422, ['/custom/helper unknown_reference']])
})

test('the values of a record have a maximum size', async () => {
  const acme = await tenant()
  const keys = Array.from({ length: 14 }, (_, n) => `text_${n}`)
  for (const key of keys) await createField(acme, { key, type: 'long_text' })
  const longValues = (some: string[]) => Object.fromEntries(some.map((key) => [key, 'x'.repeat(20_000)]))

  const lead = await addLead(acme, longValues(keys.slice(0, 10)))
  const more = await acme.member.patch(`${leadsUrl}${lead.id}`, { custom: longValues(keys.slice(10)) })

  assert.deepEqual([more.status, errorsOf(more)], [422, ['/custom size']])
})

test('bounds of amounts are in the base currency, and users must exist', async () => {
  const acme = await tenant()
  await acme.manager.put(`${leadsUrl}settings`, { currency_rates: { USD: '0.5' } })
  await createField(acme, { key: 'budget', type: 'money', validation: { min: '10', max: '50.00' } })
  await createField(acme, { key: 'helper', type: 'user' })
  const post = (custom: object) => acme.member.post(leadsUrl, { last_name: 'Moss', custom })
  const dollars = (amount: string) => ({ amount, currency: 'USD' })
  const foreign = (await tenant()).member.userId

  const responses = [
    await post({ budget: dollars('100') }),
    await post({ budget: dollars('100.02') }),
    await post({ budget: dollars('1') }),
    await post({ budget: { amount: '20', currency: 'CHF' } }),
    await post({ helper: foreign }),
  ]

  assert.deepEqual(
    responses.map((response) => [response.status, ...(errorsOf(response) ?? [])]),
    [
      [201],
      [422, '/custom/budget maximum'],
      [422, '/custom/budget minimum'],
      [422, '/custom/budget/currency no_exchange_rate'],
      [422, '/custom/helper unknown_reference'],
    ],
  )
})

test('a removed option is not written by a concurrent create', async () => {
  const acme = await tenant()
  for (let round = 0; round < 5; round++) {
    const { id } = await createField(acme, { key: `tier_${round}`, type: 'select', options: options('gold', 'tin') })
    const custom = { [`tier_${round}`]: 'gold' }

    const [created, removed] = await Promise.all([
      acme.member.post(leadsUrl, { last_name: 'Moss', custom }),
      acme.manager.patch(`${fieldsUrl}/${id}`, { options: options('tin') }),
    ])

    assert.deepEqual([created.status, removed.status].sort(), created.status === 201 ? [201, 409] : [200, 422])
  }
})

test('custom fields are listed by page and by state', async () => {
  const acme = await tenant()
  const [one, two] = [await createField(acme, { key: 'one' }), await createField(acme, { key: 'two' })]
  await createField(acme, { key: 'three', object_type: 'account' })
  await acme.manager.patch(`${fieldsUrl}/${one.id}`, { is_active: false })
  const keys = async (query: string) =>
    (await acme.viewer.get(`${fieldsUrl}?${query}`)).body.items.map(({ key }: { key: string }) => key)

  const { next_cursor } = (await acme.viewer.get(`${fieldsUrl}?limit=2`)).body

  assert.deepEqual(await keys('limit=2'), ['three', 'one'])
  assert.deepEqual(await keys(`limit=2&cursor=${next_cursor}`), ['two'])
  assert.deepEqual(await keys('object_type=lead&is_active=true'), [two.key])
})

test('the standard fields of every object type can be listed', async () => {
  const acme = await tenant()
  const list = async (type: string) => (await acme.viewer.get(`${fieldsUrl}/standard/${type}`)).body

  const lead = await list('lead')
  const email = lead.items.find(({ key }: { key: string }) => key === 'email')
  const status = lead.items.find(({ key }: { key: string }) => key === 'status')

  assert.equal(lead.total, lead.items.length)
  assert.partialDeepStrictEqual(email, { label: 'Email', type: 'text', is_writable: true, is_sortable: false })
  assert.ok(status.options.includes('qualified') && status.operators.includes('not_in'))
  for (const type of ['contact', 'account', 'opportunity']) assert.ok((await list(type)).total > 5, type)
  const name = (await list('opportunity')).items.find(({ key }: { key: string }) => key === 'name')
  assert.deepEqual([name.is_required, name.is_sortable], [true, true])
})

test('an empty list does not satisfy a required field', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'colors', type: 'multi_select', is_required: true, options: options('red') })
  const lead = await addLead(acme, { colors: ['red'] })

  const created = await acme.member.post(leadsUrl, { last_name: 'Moss', custom: { colors: [] } })
  const changed = await acme.member.patch(`${leadsUrl}${lead.id}`, { custom: { colors: [] } })

  for (const response of [created, changed])
    assert.deepEqual([response.status, errorsOf(response)], [422, ['/custom/colors required']])
})

test('crm-6-13 a pattern with nested quantifiers is checked against a long value', async () => {
  const acme = await tenant()
  await createField(acme, { key: 'code', validation: { pattern: '(a+)+$' } })
  const post = (code: string) => acme.member.post(leadsUrl, { last_name: 'Moss', custom: { code } })

  const rejected = await post(`${'a'.repeat(999)}b`)
  const accepted = await post('a'.repeat(1_000))

  assert.deepEqual([rejected.status, errorsOf(rejected)], [422, ['/custom/code pattern']])
  assert.equal(accepted.status, 201)
})
