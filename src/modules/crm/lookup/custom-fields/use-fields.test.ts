import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '#testing'
import { type Acme, leadsUrl, listIds } from '../../people/leads/leads.fixture.ts'
import { defaultScoringConfig } from '../../people/scoring/default-scoring-config.ts'
import { createField, createTier, errorsOf, fieldsUrl, options } from './custom-fields.fixture.ts'

const { tenant } = await startTestApp()

const filter = (rule: object) => `filter=${encodeURIComponent(JSON.stringify(rule))}`
const add = async (acme: Acme, url: string, input: object) => {
  const { status, body } = await acme.member.post(url, input)
  assert.equal(status, 201, JSON.stringify(body))
  return body
}
const addLead = (acme: Acme, custom: object, more: object = {}) =>
  add(acme, leadsUrl, { last_name: 'Moss', ...more, custom })

test('leads are filtered by every type of custom field', async () => {
  const acme = await tenant()
  await acme.manager.put(`${leadsUrl}settings`, { currency_rates: { USD: '0.5' } })
  const types = {
    note: 'text',
    size: 'number',
    is_open: 'boolean',
    renews_on: 'date',
    met_at: 'datetime',
    site: 'url',
    budget: 'money',
    helper: 'user',
  }
  for (const [key, type] of Object.entries(types)) await createField(acme, { key, type })
  await createTier(acme)
  await createField(acme, { key: 'colors', type: 'multi_select', options: options('red', 'green') })
  const rich = await addLead(acme, {
    note: 'Größe XL',
    size: 2.5,
    is_open: true,
    renews_on: '2026-03-01',
    met_at: '2026-03-01T10:00:00+02:00',
    site: 'https://acme.example',
    budget: { amount: '100', currency: 'USD' },
    helper: acme.member.userId,
    tier: 'gold',
    colors: ['red', 'green'],
  })
  const poor = await addLead(acme, { note: 'other', size: 1, is_open: false, tier: 'silver', colors: ['red'] })
  const empty = await addLead(acme, {})
  const euros = (amount: string) => ({ amount, currency: 'EUR' })
  const cases: [object, object[]][] = [
    [{ field: 'custom.note', op: 'eq', value: 'GRÖSSE xl' }, []],
    [{ field: 'custom.note', op: 'eq', value: 'GRÖßE xl' }, [rich]],
    [{ field: 'custom.note', op: 'starts_with', value: 'gr' }, [rich]],
    [{ field: 'custom.note', op: 'contains', value: 'the' }, [poor]],
    [{ field: 'custom.note', op: 'neq', value: 'other' }, [rich, empty]],
    [{ field: 'custom.note', op: 'is_set' }, [rich, poor]],
    [{ field: 'custom.size', op: 'gt', value: 1 }, [rich]],
    [{ field: 'custom.size', op: 'between', value: [1, 2] }, [poor]],
    [{ field: 'custom.is_open', op: 'is', value: true }, [rich]],
    [{ field: 'custom.is_open', op: 'is', value: false }, [poor, empty]],
    [{ field: 'custom.renews_on', op: 'on', value: '2026-03-01' }, [rich]],
    [{ field: 'custom.renews_on', op: 'before', value: '2026-03-01' }, []],
    [{ field: 'custom.met_at', op: 'on', value: '2026-03-01' }, [rich]],
    [{ field: 'custom.site', op: 'eq', value: 'HTTPS://ACME.EXAMPLE' }, [rich]],
    [{ field: 'custom.budget', op: 'eq', value: euros('50.00') }, [rich]],
    [{ field: 'custom.budget', op: 'gt', value: euros('50.00') }, []],
    [{ field: 'custom.budget', op: 'is_not_set' }, [poor, empty]],
    [{ field: 'custom.helper', op: 'is_me' }, [rich]],
    [{ field: 'custom.tier', op: 'in', value: ['gold', 'silver'] }, [rich, poor]],
    [{ field: 'custom.colors', op: 'contains_any', value: ['red'] }, [rich, poor]],
    [{ field: 'custom.colors', op: 'contains_all', value: ['red', 'green'] }, [rich]],
    [{ field: 'custom.colors', op: 'contains_none', value: ['green'] }, [poor, empty]],
    [
      {
        any: [
          { field: 'custom.tier', op: 'eq', value: 'silver' },
          { field: 'custom.size', op: 'eq', value: 2.5 },
        ],
      },
      [rich, poor],
    ],
    [{ not: { field: 'custom.tier', op: 'eq', value: 'gold' } }, [poor, empty]],
    [
      {
        all: [
          { field: 'custom.tier', op: 'is_set' },
          { field: 'custom.size', op: 'lt', value: 2 },
        ],
      },
      [poor],
    ],
  ]

  for (const [rule, expected] of cases) {
    const ids = (expected as { id: string }[]).map(({ id }) => id).sort()
    assert.deepEqual((await listIds(acme, filter(rule))).sort(), ids, JSON.stringify(rule))
  }
  const unknown = await acme.member.get(`${leadsUrl}?${filter({ field: 'custom.tier', op: 'eq', value: 'tin' })}`)
  assert.deepEqual([unknown.status, errorsOf(unknown)], [422, ['/filter/value unknown_option']])
  const foreign = await (await tenant()).member.get(`${leadsUrl}?${filter({ field: 'custom.tier', op: 'is_set' })}`)
  assert.deepEqual([foreign.status, errorsOf(foreign)], [422, ['/filter/field unknown_field']])
})

test('contacts, accounts and deals are filtered by custom fields, contacts also by those of their account', async () => {
  const acme = await tenant()
  for (const object_type of ['contact', 'account', 'opportunity']) await createTier(acme, { object_type })
  const custom = { tier: 'gold' }
  const account = await add(acme, '/api/accounts/', { name: 'Initech', custom })
  const contact = await add(acme, '/api/contacts/', {
    last_name: 'Moss',
    account_id: account.id,
    custom: { tier: 'silver' },
  })
  const deal = await add(acme, '/api/opportunities/', {
    name: 'Big',
    account_id: account.id,
    close_on: '2030-01-01',
    custom,
  })
  await add(acme, '/api/accounts/', { name: 'Umbrella' })
  await add(acme, '/api/contacts/', { last_name: 'Roy' })
  const gold = filter({ field: 'custom.tier', op: 'eq', value: 'gold' })
  const read = async (path: string) => (await acme.viewer.get(path)).body

  assert.deepEqual(
    (await read(`/api/accounts/?${gold}`)).items.map(({ id }: { id: string }) => id),
    [account.id],
  )
  assert.deepEqual(
    (await read(`/api/opportunities/?${gold}`)).items.map(({ id }: { id: string }) => id),
    [deal.id],
  )
  assert.deepEqual(await read(`/api/contacts/?${gold}`), [])
  const ofAccount = filter({ field: 'account.custom.tier', op: 'eq', value: 'gold' })
  assert.deepEqual(
    (await read(`/api/contacts/?${ofAccount}`)).map(({ id }: { id: string }) => id),
    [contact.id],
  )
})

test('mapped values follow a lead to its contact, account and deal', async () => {
  const acme = await tenant()
  for (const object_type of ['contact', 'account', 'opportunity']) {
    await createTier(acme, { object_type })
    await createField(acme, { object_type, key: 'must', is_required: true })
  }
  await createField(acme, { object_type: 'contact', key: 'code', is_unique: true })
  await createTier(acme, { maps_to: { contact: 'tier', account: 'tier', opportunity: 'tier' } })
  await createField(acme, { key: 'code', maps_to: { contact: 'code' } })
  const wrongType = await acme.manager.post(fieldsUrl, {
    object_type: 'lead',
    label: 'Other',
    type: 'number',
    maps_to: { contact: 'tier' },
  })
  const kept = await add(acme, '/api/accounts/', { name: 'Kept', custom: { tier: 'silver', must: 'x' } })
  const [one, two] = [
    await addLead(acme, { tier: 'gold', code: 'A' }, { company: 'Initech' }),
    await addLead(acme, { tier: 'gold', code: 'a' }, { company: 'Kept' }),
  ]
  const convert = (id: string, request: object = {}) => acme.member.post(`${leadsUrl}${id}/convert`, request)

  const first = await convert(one.id, { create_opportunity: true })
  const second = await convert(two.id)

  assert.deepEqual([wrongType.status, errorsOf(wrongType)], [422, ['/maps_to/contact type']])
  assert.equal(first.status, 200, JSON.stringify(first.body))
  const { account, contact, opportunity } = first.body
  assert.deepEqual(
    [account.custom, contact.custom, opportunity.custom],
    [{ tier: 'gold' }, { tier: 'gold', code: 'A' }, { tier: 'gold' }],
  )
  assert.deepEqual([second.body.account.id, second.body.account.custom], [kept.id, { tier: 'silver', must: 'x' }])
  assert.deepEqual(second.body.contact.custom, { tier: 'gold' })
})

test('a merge carries values, and its undo gives them back', async () => {
  const acme = await tenant()
  await createTier(acme)
  await createField(acme, { key: 'code', is_unique: true })
  const [one, two] = [await addLead(acme, { tier: 'gold' }), await addLead(acme, { tier: 'silver', code: 'A' })]
  const silver = filter({ field: 'custom.tier', op: 'eq', value: 'silver' })
  const owners = async () =>
    (await acme.sql('select record_id from crm.custom_field_unique where tenant_id = $1', [acme.id])).rows

  const merged = await acme.manager.post(`${leadsUrl}${one.id}/merge`, { duplicate_ids: [two.id] })
  const [ownersAfterMerge, silverAfterMerge] = [await owners(), await listIds(acme, silver)]
  const undone = await acme.manager.post(`${leadsUrl}merges/${merged.body.merge_id}/undo`)

  assert.deepEqual(merged.body.lead.custom, { tier: 'gold', code: 'A' })
  assert.deepEqual([ownersAfterMerge, silverAfterMerge], [[{ record_id: one.id }], []])
  assert.deepEqual([undone.status, undone.body.lead.custom], [200, { tier: 'gold' }])
  assert.deepEqual([await owners(), await listIds(acme, silver)], [[{ record_id: two.id }], [two.id]])
})

test('merged contacts keep unique values', async () => {
  const acme = await tenant()
  await createField(acme, { object_type: 'contact', key: 'code', is_unique: true })
  const one = await add(acme, '/api/contacts/', { last_name: 'Moss' })
  const two = await add(acme, '/api/contacts/', { last_name: 'Mos', custom: { code: 'A' } })

  const merged = await acme.manager.post(`/api/contacts/${one.id}/merge`, { duplicate_ids: [two.id] })
  const taken = await acme.member.post('/api/contacts/', { last_name: 'Roy', custom: { code: 'A' } })

  assert.deepEqual(merged.body.contact.custom, { code: 'A' })
  assert.deepEqual([taken.status, taken.body.existing_id], [409, one.id])
})

test('scoring rules use custom fields, and a changed value rescores the lead', async () => {
  const acme = await tenant()
  await createTier(acme)
  await createField(acme, { key: 'budget', type: 'money' })
  const rule = (when: object) => ({ key: 'tier', label: 'Tier', group: 'company', points: 50, when })
  const put = (when: object) =>
    acme.manager.put(`${leadsUrl}scoring-config`, {
      ...defaultScoringConfig,
      fit: { rules: [rule(when)], group_caps: { company: 50 } },
    })

  const configured = await put({ field: 'custom.tier', op: 'eq', value: 'gold' })
  const money = await put({ field: 'custom.budget', op: 'is_set' })
  const lead = await addLead(acme, { tier: 'gold' })
  const replaced = await acme.member.put(`${fieldsUrl}/values/lead/${lead.id}`, { values: { tier: 'silver' } })
  const after = (await acme.viewer.get(`${leadsUrl}${lead.id}`)).body

  assert.equal(configured.status, 200, JSON.stringify(configured.body))
  assert.deepEqual([money.status, errorsOf(money)], [422, ['/fit/rules/0/when/field unknown_field']])
  assert.deepEqual([lead.fit_score, after.fit_score], [50, 0])
  assert.deepEqual([replaced.status, replaced.body.version], [200, after.version])
  assert.ok((await acme.events()).includes('lead.updated'))
})
