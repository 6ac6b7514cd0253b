import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type LookupInput, normalizeEnrichedValue } from '#modules/crm'
import { deriveOffline } from './offline-provider.rules.ts'

const nothing: LookupInput = {
  email: null,
  domain: null,
  name: null,
  company: null,
  title: null,
  phone: null,
  country: null,
}
const derive = (input: Partial<LookupInput>) =>
  Object.fromEntries(
    Object.entries(deriveOffline({ ...nothing, ...input })).map(([field, { value }]) => [field, value]),
  )
const nameOf = (email: string) => {
  const { first_name, last_name } = derive({ email })
  return first_name && [first_name, last_name]
}

test('a business domain gives website, company and country with their confidences', () => {
  assert.deepEqual(deriveOffline({ ...nothing, domain: 'acme-corp.co.uk' }), {
    company_domain: { value: 'acme-corp.co.uk', confidence: 1 },
    website: { value: 'https://acme-corp.co.uk', confidence: 0.9 },
    company: { value: 'Acme Corp', confidence: 0.6 },
    country: { value: 'GB', confidence: 0.5 },
    timezone: { value: 'Europe/London', confidence: 0.5 },
  })
})

test('names come from first.last only', () => {
  assert.deepEqual(nameOf('jane.doe@gmail.com'), ['Jane', 'Doe'])
  assert.deepEqual(nameOf('JANE.DOE+news@acme.de'), ['Jane', 'Doe'])
  assert.deepEqual(nameOf('anne-marie.dupont@acme.fr'), ['Anne-Marie', 'Dupont'])
  for (const local of [
    'jane',
    'info',
    'sales.team',
    'j.doe',
    'jane.m.doe',
    'jane.doe2',
    'a.b',
    'no.reply',
    '.jane',
    'jane..doe',
  ])
    assert.equal(nameOf(`${local}@acme.de`), undefined, local)
  assert.equal(nameOf('jane.doe@mailinator.com'), undefined)
})

test('domains that are used worldwide have no country', () => {
  for (const suffix of ['io', 'co', 'ai', 'me', 'tv', 'gg', 'fm', 'ly', 'com', 'eu', 'dev'])
    assert.equal(derive({ domain: `acme.${suffix}` }).country, undefined, suffix)
  assert.equal(derive({ domain: 'acme.at' }).country, 'AT')
})

test('a phone prefix is more certain than a domain', () => {
  assert.deepEqual(deriveOffline({ ...nothing, domain: 'acme.de', phone: '+33142685300' }).country, {
    value: 'FR',
    confidence: 0.8,
  })
  assert.equal(derive({ phone: '030 123456' }).country, undefined)
})

test('countries with one time have a time zone', () => {
  assert.equal(derive({ country: 'JP' }).timezone, 'Asia/Tokyo')
  assert.equal(derive({ country: 'DE' }).timezone, 'Europe/Berlin')
  for (const country of ['US', 'BR', 'ES', 'RU', 'ZZ']) assert.equal(derive({ country }).timezone, undefined, country)
})

test('whatever the record contains, only valid values are derived', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), fc.string(), (local, domain, phone) => {
      const found = deriveOffline({ ...nothing, email: `${local}@${domain}`, domain, phone })
      for (const field of ['first_name', 'last_name', 'country', 'timezone'])
        if (found[field]) assert.notEqual(normalizeEnrichedValue('lead', field, found[field].value), undefined)
    }),
  )
})
